/** Recognises a file by its content, because its name or a header may be wrong. Undefined if nothing is recognised. */
export async function contentTypeOf(path: string): Promise<string | undefined> {
  // Loaded on demand: most processes never need it, and a start must be quick.
  const { fileTypeFromFile } = await import('file-type')
  // A damaged file can make it fail.
  const found = await fileTypeFromFile(path).catch(() => undefined)
  return found?.mime
}
