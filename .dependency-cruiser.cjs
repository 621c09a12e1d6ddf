// The import table of the architecture: what each folder may import. `npm run check` holds the code against it, and
// test/architecture plants a violation to prove that the check is alive.

/** folder → folders of ours it may import (itself is always allowed) */
const table = {
  'app/contract': [],
  'app/domain': ['app/contract'],
  'app/ports': ['app/contract', 'app/domain'],
  'app/services': ['app/contract', 'app/domain', 'app/ports'],
  'app/storage': ['app/contract', 'app/domain', 'app/ports'],
  'app/http': ['app/contract', 'app/domain', 'app/ports'],
  'app/server': ['app/contract', 'app/domain', 'app/ports', 'app/http', 'app/services'],
  'app/console': ['app/contract', 'app/domain', 'app/ports', 'app/services'],
  'app/sync': ['app/contract', 'app/domain', 'app/ports'],
  'app/receipts': ['app/contract', 'app/domain', 'app/ports'],
  'app/logs': ['app/contract', 'app/domain', 'app/ports'],
  'app/programs': ['app/ports'],
  'app/config': ['app/contract', 'app/domain', 'app/ports'],
  drivers: ['app/contract', 'app/domain', 'app/ports'],
  main: [
    'app/create-bridge.ts',
    'app/config',
    'app/ports',
    'app/contract',
    'app/domain',
    'app/storage',
    'app/logs',
    'app/programs',
    'app/sync/pair-terminal.ts',
    'app/sync/pairings.ts',
    'drivers/registry.ts',
  ],
  renderer: ['app/contract', 'app/domain'],
  host: ['app/contract', 'app/domain', 'app/ports', 'app/http', 'app/logs', 'app/programs'],
  scripts: [],
};

const own = '^(app|drivers|main|host|renderer|test|scripts)/';
const tableRules = Object.entries(table).map(([folder, allowed]) => ({
  name: `imports-of-${folder.replace('/', '-')}`,
  severity: 'error',
  from: { path: `^${folder}/` },
  to: {
    path: own,
    pathNot: [
      `^${folder}/`,
      ...allowed.map((path) => `^${path.replace('.', '\\.')}${path.endsWith('.ts') ? '$' : '/'}`),
    ],
  },
}));

module.exports = {
  forbidden: [
    ...tableRules,
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    { name: 'tests-are-not-imported', severity: 'error', from: { pathNot: '^test/' }, to: { path: '^test/' } },
    {
      name: 'pure-folders-use-no-node',
      severity: 'error',
      from: { path: '^app/(contract|domain|ports)/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      // What draws the console, and reaches the till through one file.
      name: 'renderer-uses-no-node',
      severity: 'error',
      from: { path: '^renderer/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      // The virtual terminals judge the drivers: they share the codecs and nothing else.
      name: 'virtual-terminals-share-codecs-only',
      severity: 'error',
      from: { path: '^drivers/virtual/' },
      to: { path: '^drivers/', pathNot: '^drivers/(virtual|framing|[a-z0-9-]+/codec)/' },
    },
    {
      name: 'only-the-virtual-program-imports-virtual',
      severity: 'error',
      from: { path: '^(app|main|drivers)/', pathNot: '^drivers/virtual/' },
      to: { path: '^drivers/virtual/' },
    },
    {
      // The keys of the test cards and of the virtual reader: what decrypts card data is no part of the bridge, of the host or of a console.
      name: 'only-virtual-terminals-decrypt',
      severity: 'error',
      from: { path: own, pathNot: '^(drivers/virtual|test)/' },
      to: { path: '^drivers/virtual/[a-z0-9-]+/(crypto|card)/' },
    },
    {
      // A driver hands out card data as the reader encrypted them, and has no cipher to do anything else.
      name: 'drivers-use-no-ciphers',
      severity: 'error',
      from: { path: '^drivers/', pathNot: '^drivers/virtual/' },
      to: { path: '^(node:)?crypto$' },
    },
    {
      // The acquirer simulator judges the host: it shares the contract, and no rule of its own is one of the host's.
      name: 'acquirer-simulator-shares-contract-only',
      severity: 'error',
      from: { path: '^host/simulator/' },
      to: { path: own, pathNot: '^(host/simulator/|host/system-clock\\.ts$|app/(contract|ports)/)' },
    },
    {
      name: 'only-its-client-imports-the-acquirer-simulator',
      severity: 'error',
      from: { path: '^(app|main|drivers|host)/', pathNot: '^host/simulator/' },
      to: { path: '^host/simulator/', pathNot: '^host/simulator/(protocol|rules)\\.ts$' },
    },
    {
      name: 'only-its-client-speaks-to-the-acquirer-simulator',
      severity: 'error',
      from: { path: '^(app|main|drivers|host)/', pathNot: '^host/(simulator/|acquirers/simulator-acquirer\\.ts$)' },
      to: { path: '^host/simulator/' },
    },
    {
      name: 'serialport-only-in-transport',
      severity: 'error',
      from: { pathNot: '^(drivers/(transport|virtual)|test)/' },
      to: { path: 'node_modules/serialport' },
    },
    {
      name: 'node-hid-only-in-transport',
      severity: 'error',
      from: { pathNot: '^(drivers/transport|test)/' },
      to: { path: 'node_modules/node-hid' },
    },
    {
      name: 'sqlite-only-in-storage',
      severity: 'error',
      from: { pathNot: '^(app/storage|host/storage|test)/' },
      to: { path: 'node_modules/better-sqlite3' },
    },
    {
      name: 'nats-only-between-nodes',
      severity: 'error',
      from: { pathNot: '^host/nodes/' },
      to: { path: 'node_modules/nats' },
    },
    {
      name: 'electron-only-in-shell',
      severity: 'error',
      from: { pathNot: '^main/(electron|preload|index)' },
      to: { path: 'node_modules/electron' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
