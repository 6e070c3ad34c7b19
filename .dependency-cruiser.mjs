/** Who may import whom (README, "Where does it go?"). Every rule says where the code should go instead. */
const forbid = (name, from, to, comment) => ({ name, severity: 'error', from, to, comment })
const code = '^(shared/[^/]+|host|remote-[^/]+|server|viewer|uploader|e2e|scripts)/'
// `…InTests.tsx`: what several test files of one folder share.
const test = '(\\.(test|bench)|InTests)\\.tsx?$'

/** The folders of the kit from the ground up: each may import those before it, types included. */
const kitFolders = {
  dates: 'It formats instants and knows nothing else.',
  transport: 'It carries requests and caches answers, without a session: what it needs to know of one is a parameter.',
  session: 'It knows who is signed in and makes calls with transport/; hooks and calls with a token belong in api/.',
  api: 'It makes calls with the session’s token; what is drawn belongs in ui/ or screen/.',
  router: 'It stands on the session and the calls; components belong in ui/ or screen/.',
  ui: 'It holds components that know no screen; what needs one belongs in screen/.',
  screen: 'It frames a screen; forms and tables stand on it.',
}
const kitNames = Object.keys(kitFolders)
const kitFloors = kitNames.map((name, floor) => {
  const above = [...kitNames.slice(floor + 1), 'form', 'table', 'testing'].join('|')
  // The package's own entry is the door of api and of everything below it.
  const door = floor <= kitNames.indexOf('api') ? '|index[.]ts$' : ''
  return forbid(
    `kit-${name}-is-below`,
    { path: `^shared/kit/src/${name}/`, pathNot: test },
    { path: `^shared/kit/src/((${above})/${door})` },
    `kit/src/${name} is below ${above.replaceAll('|', ', ')}. ${kitFolders[name]}`,
  )
})
kitFloors.push(
  forbid(
    'kit-form-and-table-are-neighbours',
    { path: '^shared/kit/src/(form|table)/', pathNot: test },
    { path: '^shared/kit/src/(form|table)/', pathNot: '^shared/kit/src/$1/' },
    'Forms and tables do not know each other: what both need belongs in kit/src/screen or kit/src/ui.',
  ),
)

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    forbid(
      'contract-stands-alone',
      { path: '^shared/contract/src/', pathNot: test },
      { pathNot: '^shared/contract/|/valibot/' },
      'The contract is what browser and server agree on: schemas and pure functions over valibot, nothing else. Browser code belongs in shared/kit, Node code in server/.',
    ),
    forbid(
      'kit-stands-on-the-contract',
      { path: '^shared/kit/src/' },
      { path: '^(host|remote-[^/]+|server|viewer|uploader|shared/(build|release))/' },
      'The kit is below every screen. What it needs from a screen is a prop or a parameter; what both sides know is shared/contract.',
    ),
    ...kitFloors,
    forbid(
      'kit-and-contract-without-type-circles',
      { path: '^shared/(kit|contract)/src/' },
      { circular: true },
      'Circles of types count, too: the type that both files need belongs in the lower one, or in a file of its own.',
    ),
    forbid(
      'remotes-meet-at-run-time',
      { path: '^remote-([^/]+)/' },
      { path: '^(remote-[^/]+|host|server|viewer|uploader)/', pathNot: '^remote-$1/' },
      'A remote imports the kit and the contract only. What two remotes need goes to shared/kit; a link to the other remote is a URL.',
    ),
    forbid(
      'remotes-do-not-build',
      { path: '^remote-[^/]+/src/', pathNot: test },
      { path: '^shared/(build|release)/' },
      'Build settings are called from webpack.config.ts, never from the sources.',
    ),
    forbid(
      'host-meets-remotes-at-run-time',
      { path: '^host/' },
      { path: '^(remote-[^/]+|server|viewer|uploader)/' },
      'The host finds remotes in the release registry at run time; what it must know of them stands in their remote.json (shared/contract/src/remote.ts).',
    ),
    forbid(
      'server-stands-on-the-contract',
      { path: '^server/src/', pathNot: test },
      { path: '^(host|remote-[^/]+|viewer|uploader|shared/(kit|build))/' },
      'Server and browser share the contract only. Schemas, limits and pure rules go to shared/contract.',
    ),
    forbid(
      'browser-has-no-server',
      { path: '^(host|remote-[^/]+|viewer|shared/(kit|contract))/src/', pathNot: test },
      { path: '^server/' },
      'The web application can be pointed at any server that keeps the contract: put what it needs to know into shared/contract.',
    ),
    forbid(
      'browser-has-no-node',
      { path: '^(host|remote-[^/]+|viewer|shared/(kit|contract))/src/', pathNot: test },
      { dependencyTypes: ['core'] },
      'This code runs in a browser. Node modules belong in server/, shared/build or scripts/.',
    ),
    forbid(
      'release-stands-on-build-and-contract',
      { path: '^shared/release/src/' },
      { path: '^(host|remote-[^/]+|server|viewer|uploader|shared/kit)/' },
      'Releases are made of files and declarations: schemas in shared/contract, build settings in shared/build.',
    ),
    forbid(
      'build-knows-no-screens',
      { path: '^shared/build/src/' },
      { path: '^(host|remote-[^/]+|server|viewer|uploader|shared/release)/' },
      'The build is called by the packages, it does not import them; a path is a parameter.',
    ),
    forbid(
      'journeys-know-the-contract-only',
      { path: '^e2e/' },
      { path: '^(host|remote-[^/]+|server|viewer|uploader|shared/(kit|build|release))/' },
      'The journeys run against any deployment: they know the contract and what a person sees.',
    ),
    forbid(
      'no-relative-way-out',
      { path: code, pathNot: '^scripts/' },
      { dependencyTypes: ['local'], path: code, pathNot: '^$1/' },
      'A package is entered by its name (@dmp/…) and its exports map, never by a relative path.',
    ),
    forbid(
      'tests-stay-out',
      { path: code, pathNot: `${test}|/testing/` },
      { path: `${test}|/kit/src/testing/` },
      'Product code does not import test code. What both need is a source file beside them.',
    ),
    forbid(
      'no-cycles',
      { path: code },
      { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
      'Two files that need each other are one thing, or the shared part wants a file of its own.',
    ),
    forbid(
      'declared-dependencies',
      { path: code },
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
      'Add the package to this folder’s own package.json (README, "Adding a package").',
    ),
    forbid(
      'resolvable',
      { path: code },
      { couldNotResolve: true, pathNot: '/(dist|[.]data)/|^@jest/globals$' },
      'This import leads nowhere: is the extension written (./x.ts), is the package installed?',
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|coverage|test-results|playwright-report)/' },
    parser: 'swc',
    combinedDependencies: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['browser', 'import', 'require', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.cjs', '.js', '.json', '.css'],
    },
  },
}
