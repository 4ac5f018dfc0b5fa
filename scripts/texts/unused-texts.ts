import ts from 'typescript'

/**
 * Returns the keys of English texts that no source uses, by file. The compiler knows a text as a property of the type of its
 * file, so it can tell which ones an expression reads.
 *
 * An object of texts may also be passed to code that expects another type. Then the texts that this type names are used. If it
 * names none, as that of `JSON.stringify`, those are used whose name is a word of any source or browser script.
 */
export function findUnusedTexts(
  english: readonly string[],
  sources: readonly string[],
  browserScripts: readonly string[],
  options: ts.CompilerOptions,
): Map<string, string[]> {
  const program = ts.createProgram([...sources, ...english], options)
  const filesOf = (names: readonly string[]) => names.flatMap((name) => program.getSourceFile(name) ?? [])
  const reader = new Reader(program.getTypeChecker(), filesOf(english), [
    ...filesOf(sources).map(({ text }) => text),
    ...browserScripts,
  ])
  for (const source of filesOf(sources)) reader.read(source)
  return new Map(filesOf(english).map((file) => [file.fileName, unusedKeys(file, reader.used)]))
}

/** Collects the keys that sources use, as the nodes that declare them. */
class Reader {
  readonly used = new Set<ts.Node>()
  readonly #checker: ts.TypeChecker
  readonly #english: ReadonlySet<ts.Node>
  /** Only for speed: a look at other names would find nothing. */
  readonly #names: ReadonlySet<string | undefined>
  readonly #words: ReadonlySet<string>

  constructor(checker: ts.TypeChecker, english: readonly ts.SourceFile[], texts: readonly string[]) {
    this.#checker = checker
    this.#english = new Set(english)
    this.#names = new Set(english.flatMap(({ text }) => [...text.matchAll(/"(\w+)":/g)].map(([, name]) => name)))
    this.#words = new Set(texts.flatMap((text) => text.match(/\w+/g) ?? []))
  }

  read(node: ts.Node): void {
    if (ts.isPropertyAccessExpression(node) && this.#names.has(node.name.text)) {
      this.#use(this.#checker.getSymbolAtLocation(node.name))
    }
    if (ts.isElementAccessExpression(node)) this.#useElement(node)
    if (ts.isObjectBindingPattern(node)) this.#useBindings(node)
    if (isPassedOn(node)) this.#useExpected(node)
    ts.forEachChild(node, (child) => this.read(child))
  }

  #keysOf = (symbol: ts.Symbol | undefined): ts.Node[] =>
    symbol?.declarations?.filter((declaration) => this.#english.has(declaration.getSourceFile())) ?? []

  #use(symbol: ts.Symbol | undefined): void {
    for (const key of this.#keysOf(symbol)) this.used.add(key)
  }

  /** `texts.roles[role]` uses the texts that `role` can name. */
  #useElement({ expression, argumentExpression }: ts.ElementAccessExpression): void {
    const type = this.#checker.getTypeAtLocation(expression)
    if (!this.#hasTexts(type)) return
    for (const index of membersOf(this.#checker.getTypeAtLocation(argumentExpression))) {
      if (index.isStringLiteral()) this.#use(this.#checker.getPropertyOfType(type, index.value))
      else for (const key of this.#checker.getPropertiesOfType(type)) this.#use(key)
    }
  }

  #useBindings(pattern: ts.ObjectBindingPattern): void {
    const type = this.#checker.getTypeAtLocation(pattern)
    for (const { propertyName, name, dotDotDotToken } of pattern.elements) {
      const key = propertyName ?? name
      if (dotDotDotToken === undefined && ts.isIdentifier(key))
        this.#use(this.#checker.getPropertyOfType(type, key.text))
    }
  }

  #useExpected(node: ts.Expression): void {
    const expected = ts.isAsExpression(node.parent)
      ? this.#checker.getTypeAtLocation(node.parent)
      : this.#checker.getContextualType(node)
    if (expected !== undefined) this.#useKeys(this.#checker.getTypeAtLocation(node), expected)
  }

  /** Uses the keys that another type expects. A key that this type has from an English file is used where it is read. */
  #useKeys(given: ts.Type, expected: ts.Type): void {
    for (const type of membersOf(given).filter((member) => this.#hasTexts(member) || isLiteral(member))) {
      for (const key of this.#checker.getPropertiesOfType(type)) {
        const wanted = this.#checker.getPropertyOfType(expected, key.name)
        if (this.#keysOf(wanted).length > 0 || !(wanted !== undefined || this.#takes(expected, key.name))) continue
        this.#use(key)
        const inner = wanted === undefined ? expected : this.#checker.getTypeOfSymbol(wanted)
        this.#useKeys(this.#checker.getTypeOfSymbol(key), inner)
      }
    }
  }

  /** Whether a type takes a key without naming it. */
  #takes(type: ts.Type, key: string): boolean {
    const isAnything = (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.NonPrimitive)) !== 0
    if (isAnything) return this.#words.has(key)
    return type.isTypeParameter() || membersOf(type).some((member) => member.getStringIndexType() !== undefined)
  }

  #hasTexts = (type: ts.Type): boolean =>
    membersOf(type).some(
      (member) =>
        (member.flags & ts.TypeFlags.Object) !== 0 &&
        this.#checker.getPropertiesOfType(member).some((key) => this.#keysOf(key).length > 0),
    )
}

const membersOf = (type: ts.Type): readonly ts.Type[] => (type.isUnion() ? type.types : [type])

/** An object literal of a source may have texts within it. */
const isLiteral = (type: ts.Type): boolean => type.symbol?.declarations?.some(ts.isObjectLiteralExpression) ?? false

/** Whether other code gets the value of an expression that may be an object of texts. */
function isPassedOn(node: ts.Node): node is ts.Expression {
  const isObject =
    ts.isIdentifier(node) ||
    ts.isPropertyAccessExpression(node) ||
    ts.isElementAccessExpression(node) ||
    ts.isCallExpression(node) ||
    ts.isObjectLiteralExpression(node)
  if (!isObject) return false
  const { parent } = node
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) return parent.expression !== node
  if (ts.isVariableDeclaration(parent)) return parent.initializer === node && parent.type !== undefined
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node
  if (ts.isArrowFunction(parent)) return parent.body === node
  return (
    ts.isShorthandPropertyAssignment(parent) ||
    ts.isReturnStatement(parent) ||
    ts.isAsExpression(parent) ||
    ts.isConditionalExpression(parent) ||
    ts.isBinaryExpression(parent)
  )
}

function unusedKeys(file: ts.SourceFile, used: ReadonlySet<ts.Node>): string[] {
  const unused: string[] = []
  const collect = (node: ts.Expression, path: string): void => {
    if (!ts.isObjectLiteralExpression(node)) return
    for (const property of node.properties.filter(ts.isPropertyAssignment)) {
      const key = `${path}${(property.name as ts.StringLiteral).text}`
      if (!used.has(property)) unused.push(key)
      else if (!isPlural(property.initializer)) collect(property.initializer, `${key}.`)
    }
  }
  const [statement] = file.statements
  if (statement !== undefined && ts.isExpressionStatement(statement)) collect(statement.expression, '')
  return unused
}

const isPlural = (node: ts.Expression): boolean =>
  ts.isObjectLiteralExpression(node) && node.properties.some((form) => form.name?.getText() === '"other"')
