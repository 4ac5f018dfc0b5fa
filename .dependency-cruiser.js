/** What may import what. Each rule's comment says what to do instead. */
const TESTS = '\\.test\\.ts$|/testing/'

/** Which groups of families may use which others. Keep it short: every entry couples two groups. */
const GROUP_IMPORTS = {
  account: ['mail'],
  assets: [],
  chat: ['account', 'assets', 'codes', 'knowledge', 'mail'],
  codes: ['account', 'assets'],
  domains: ['codes', 'mail'],
  knowledge: ['assets'],
  mail: [],
  pages: ['account', 'assets', 'codes', 'mail'],
  webhooks: [],
}

/**
 * The rooms of a group that no family needs: what visitors meet, and what runs in the background. They may use families of
 * any group, so nothing but main may use them.
 */
const LEAF_ROOMS = [
  'account/account-pages',
  'account/job-runner',
  'assets/clean-up',
  'chat/embeddings',
  'chat/public-chat',
  'codes/scan',
  'codes/schedules',
  'domains/checks',
  'domains/hosts',
  'knowledge/help-centre',
  'knowledge/indexing',
  'mail/sending',
  'pages/public-pages',
  'webhooks/delivery',
]
const LEAF_ROOM = `^src/modules/(${LEAF_ROOMS.join('|')})/`

const groupRules = Object.entries(GROUP_IMPORTS).map(([group, others]) => ({
  name: `${group}-imports-declared-groups`,
  comment: 'Groups depend on each other only as declared in GROUP_IMPORTS above. Pass a function in, or emit an event.',
  severity: 'error',
  from: { path: `^src/modules/${group}/`, pathNot: [TESTS, LEAF_ROOM] },
  to: { path: '^src/modules/', pathNot: [group, ...others].map((name) => `^src/modules/${name}/`) },
}))

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Merge two files that need each other, or move the part that both use into a third.',
      severity: 'error',
      from: {},
      to: { circular: true, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'unresolvable',
      comment: 'This import cannot be resolved.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'platform-knows-no-product',
      comment: 'The platform knows no family. Pass what it needs as an argument.',
      severity: 'error',
      from: { path: '^src/platform/', pathNot: TESTS },
      to: { path: '^src/(modules|api|erasure|main|testing)/' },
    },
    ...groupRules,
    {
      name: 'leaf-rooms-only-in-main',
      comment:
        'Only main uses a room of LEAF_ROOMS above. Move what you need into a family, or take it as an argument.',
      severity: 'error',
      from: { path: '^src/(?!main/)', pathNot: [TESTS, LEAF_ROOM] },
      to: { path: LEAF_ROOM },
    },
    {
      name: 'leaf-rooms-do-not-meet',
      comment:
        'Leaf rooms may run in different processes, so none imports another. They meet in families and platform.',
      severity: 'error',
      from: { path: LEAF_ROOM, pathNot: TESTS },
      to: { path: LEAF_ROOM, pathNot: '^src/modules/$1/' },
    },
    {
      name: 'groups-are-declared',
      comment: 'Add the new group of modules to GROUP_IMPORTS above.',
      severity: 'error',
      from: { path: `^src/modules/(?!(?:${Object.keys(GROUP_IMPORTS).join('|')})/)` },
      to: {},
    },
    {
      name: 'modules-through-index',
      comment: 'Import another family through its index.ts, or its contract.ts from a contract.',
      severity: 'error',
      from: { path: '^src/modules/([^/]+/[^/]+)/', pathNot: TESTS },
      to: { path: '^src/modules/', pathNot: ['^src/modules/$1/', '^src/modules/[^/]+/[^/]+/(index|contract)\\.ts$'] },
    },
    {
      name: 'modules-know-no-process',
      comment: 'A family does not know the processes that use it. Move what it needs into platform/ or another module.',
      severity: 'error',
      from: { path: '^src/modules/', pathNot: TESTS },
      to: { path: '^src/(api|erasure|main|testing)/' },
    },
    {
      name: 'contracts-are-pure',
      comment: 'A contract is data: Zod, platform/contract and other contracts. Rules live in service.ts.',
      severity: 'error',
      from: { path: '^src/modules/[^/]+/[^/]+/contract\\.ts$' },
      to: { pathNot: ['^src/platform/contract/', '^node_modules/zod/', '^src/modules/.+/contract\\.ts$'] },
    },
    {
      name: 'queries-only-query',
      comment: 'Queries know the database and nothing else; they decide nothing.',
      severity: 'error',
      from: { path: '^src/modules/([^/]+/[^/]+)/.*queries\\.ts$' },
      to: {
        pathNot: [
          '^src/modules/$1/.*queries\\.ts$',
          '^src/modules/codes/target-tables/index\\.ts$',
          '^src/platform/db/',
          '^src/platform/ids/',
          '^node_modules/kysely/',
          '^src/platform/contract/pagination\\.ts$',
        ],
      },
    },
    {
      name: 'processes-meet-in-modules',
      comment: 'api and erasure do not import each other. They meet in modules and platform.',
      severity: 'error',
      from: { path: '^src/(api|erasure)/', pathNot: TESTS },
      to: { path: '^src/(api|erasure|main|testing)/', pathNot: '^src/$1/' },
    },
    {
      name: 'processes-through-index',
      comment: 'Import a family or a leaf room through its index.ts.',
      severity: 'error',
      from: { path: '^src/(api|erasure|main)/', pathNot: TESTS },
      to: { path: '^src/modules/', pathNot: '^src/modules/[^/]+/[^/]+/index\\.ts$' },
    },
    {
      name: 'nothing-imports-main',
      comment: 'main/ wires the parts together. Take what you need from it as an argument.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/main/', TESTS] },
      to: { path: '^src/main/' },
    },
    {
      name: 'texts-in-one-file',
      comment: 'A surface reads its texts in its file texts.ts, with loadTexts. All other files take them from there.',
      severity: 'error',
      from: { path: '^(src|scripts|bench|drills)/', pathNot: '/texts\\.ts$' },
      to: { path: '^locales/' },
    },
    {
      name: 'fastify-in-one-place',
      comment: 'Only platform/http knows which HTTP framework we use.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/platform/http/' },
      to: { path: '^node_modules/fastify/' },
    },
    {
      name: 'pg-in-one-place',
      comment: 'Only platform/db speaks to the engines; everything else takes Db or Tx.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/platform/db/', TESTS] },
      to: { path: '^node_modules/pg/' },
    },
    {
      name: 'nodemailer-in-one-place',
      comment: 'Only platform/mail speaks SMTP. Write mails with modules/mail/mails.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/platform/mail/', TESTS] },
      to: { path: '^node_modules/(?:@types/)?nodemailer/' },
    },
    {
      name: 's3-in-one-place',
      comment:
        "Only this file sends requests outside the guarded client: the S3 server is the operator's own and may be in a private network. For addresses that customers enter, use platform/outbound.",
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/platform/files/s3-store\\.ts$' },
      to: { path: '^node_modules/aws4fetch/' },
    },
    {
      name: 'tests-stay-outside',
      comment: 'Production code must not import test code.',
      severity: 'error',
      from: { path: '^src/', pathNot: TESTS },
      to: { path: TESTS },
    },
    {
      name: 'sdk-stands-alone',
      comment:
        'The SDK runs in browsers and edge workers, without the service and without Node: it imports only itself.',
      severity: 'error',
      from: { path: '^packages/sdk/src/', pathNot: ['\\.test\\.ts$', '^packages/sdk/src/testing/'] },
      to: { pathNot: '^packages/sdk/src/(?!testing/)' },
    },
    {
      name: 'no-development-packages',
      comment: 'Production code may only import `dependencies`.',
      severity: 'error',
      from: { path: '^(src|migrations)/', pathNot: TESTS },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.mjs'],
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'node', 'default'],
    },
  },
}
