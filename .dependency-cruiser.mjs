/** Who may import whom (README, "Where does it go?"). Every rule says where the code should go instead. */
const forbid = (name, from, to, comment) => ({ name, severity: 'error', from, to, comment })
const code = '^(shared/[^/]+|host|remote-[^/]+|server|viewer|uploader|e2e|scripts)/'
// `…InTests.tsx`: what several test files of one folder share; `….peers.ts`: tests with software of others.
const test = '(\\.(test|bench|peers)|InTests)\\.tsx?$'

/** The folders of the kit from the ground up: each may import those before it, types included. */
const kitFolders = {
  language: 'It knows the language of the page, and what the browser remembers.',
  dates: 'It formats instants in the language of the page and knows nothing else.',
  transport: 'It carries requests and caches responses, without a session. Pass what it needs as a parameter.',
  session: 'It knows who is signed in and makes calls with transport/; hooks and calls with a token belong in api/.',
  keys: 'It listens to keys with the person’s preference and draws nothing; components belong in ui/ or screen/.',
  api: 'It makes calls with the session’s token; components belong in ui/ or screen/.',
  router: 'It builds on the session and the calls; components belong in ui/ or screen/.',
  ui: 'It holds components that know no screen; what needs one belongs in screen/.',
  screen: 'It frames a screen; forms and tables build on it.',
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

/** The floors of host/src from the bottom up; each may use those below it, types included. */
const hostFloor = (name, folders, below, comment) =>
  forbid(
    `host-floor-${name}`,
    { path: `^host/src/(${folders})/`, pathNot: test },
    { path: '^host/src/', pathNot: `^host/src/(${['$1', ...below].join('|')})/` },
    comment,
  )
const hostFloors = [
  hostFloor(
    'remotes',
    'remotes',
    [],
    'remotes/ loads remotes and knows no screen: what it needs from above is a parameter, a component that draws belongs in shell/ or pages/.',
  ),
  hostFloor('session', 'session', [], 'session/ stands on the kit alone; what it shares belongs in the kit’s session.'),
  hostFloor(
    'overrides',
    'overrides',
    ['remotes'],
    'overrides/ draws what remotes/ knows of overrides. What the frame decides is a prop.',
  ),
  hostFloor(
    'palette',
    'palette|guests',
    ['remotes'],
    'palette/ finds what the remotes contribute, guests/ frames those that are not trusted. Neither knows who shows it.',
  ),
  hostFloor(
    'inbox',
    'inbox|work',
    [],
    'inbox/ and work/ draw what the server tells the viewer. The frame shows bell and tasks, pages/ the page of the inbox.',
  ),
  hostFloor(
    'shell',
    'shell',
    ['inbox', 'overrides', 'palette', 'remotes', 'work'],
    'shell/ is the frame around a page and gets the page as children. What a page says belongs in the folder of that page.',
  ),
  hostFloor(
    'screens',
    'dashboard|not-authorized|not-found|platform|terms',
    ['shell', 'remotes'],
    'A screen of the host imports neither another screen nor the router. Link by URL; code that two screens need belongs in shell/ or the kit.',
  ),
  hostFloor(
    'pages',
    'pages',
    ['(?!frame/)[^/]+'],
    'pages/ chooses the page of an address. App.tsx, bootstrap.tsx and index.ts stand on it, not the other way round.',
  ),
]

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
      'dicom-stands-alone',
      { path: '^shared/dicom/src/', pathNot: test },
      { pathNot: '^shared/dicom/' },
      'The vocabulary of DICOM is data and pure functions for page, server and uploader. Code that needs a browser or Node belongs in those packages.',
    ),
    forbid(
      'kit-stands-on-the-contract',
      { path: '^shared/kit/src/' },
      { path: '^(@dmp/remote-|(host|remote-[^/]+|server|viewer|uploader|shared/(build|release))/)' },
      'The kit is below every screen. Pass what it needs from a screen as a prop or a parameter; what browser and server share belongs in shared/contract.',
    ),
    ...kitFloors,
    forbid(
      'kit-and-contract-without-type-circles',
      { path: '^shared/(kit|contract)/src/' },
      { circular: true },
      'Type cycles count too: move the type that both files need into the lower file, or into a file of its own.',
    ),
    forbid(
      'remotes-meet-at-run-time',
      { path: '^remote-([^/]+)/' },
      { path: '^(@dmp/remote-|(remote-[^/]+|host|server|viewer|uploader)/)', pathNot: '^remote-$1/' },
      'A remote imports kit, contract and the vocabulary of DICOM only. What two remotes need goes to shared/kit; a link to the other remote is a URL.',
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
      { path: '^(@dmp/remote-|(remote-[^/]+|server|viewer|uploader)/)' },
      'The host finds remotes in the release registry at run time; what it must know of them stands in their remote.json (shared/contract/src/remote.ts).',
    ),
    forbid(
      'demo-accounts-stay-in-demos',
      {
        path: code,
        pathNot: `${test}|^remote-account/src/login/DemoAccounts[.]tsx$|^server/src/(announcement|modules/account/demoAccounts)[.]ts$|^(e2e|scripts)/`,
      },
      { path: '^shared/contract/src/demoAccounts[.]ts$' },
      'No script that production loads may contain the demo password: only the seed and the demo’s sign-in page import it.',
    ),
    forbid(
      'demo-accounts-load-late',
      { path: '^remote-account/src/' },
      { path: '^remote-account/src/login/DemoAccounts[.]tsx$', dynamic: false },
      'Load the demo accounts with import(), and only where settings().isDemo says so.',
    ),
    ...hostFloors,
    forbid(
      'host-has-no-circles-of-types',
      { path: '^host/src/' },
      { circular: true },
      'These files import each other’s types. Move the type into the lower of the two, or into a file of its own.',
    ),
    forbid(
      'server-stands-on-the-contract',
      { path: '^server/src/', pathNot: test },
      { path: '^(@dmp/remote-|(host|remote-[^/]+|viewer|uploader|shared/(kit|build))/)' },
      'Server and browser share the contract only. Schemas, limits and pure rules go to shared/contract.',
    ),
    forbid(
      'browser-has-no-server',
      { path: '^(host|remote-[^/]+|viewer|shared/(kit|contract|dicom))/src/', pathNot: test },
      { path: '^server/' },
      'The web application can be pointed at any server that keeps the contract: put what it needs to know into shared/contract.',
    ),
    forbid(
      'browser-has-no-node',
      { path: '^(host|remote-[^/]+|viewer|shared/(kit|contract|dicom))/src/', pathNot: test },
      { dependencyTypes: ['core'] },
      'This code runs in a browser. Node modules belong in server/, shared/build or scripts/.',
    ),
    forbid(
      'uploader-takes-one-file-of-the-server',
      { path: '^uploader/', pathNot: test },
      { path: '^server/', pathNot: '^server/src/dicom/deidentifyFile[.]ts$' },
      'The uploader de-identifies as the server does, and shares nothing else with it. What both need belongs in shared/.',
    ),
    forbid(
      'release-stands-on-build-and-contract',
      { path: '^shared/release/src/' },
      { path: '^(@dmp/remote-|(host|remote-[^/]+|server|viewer|uploader|shared/kit)/)' },
      'Releases are made of files and declarations: schemas in shared/contract, build settings in shared/build.',
    ),
    forbid(
      'build-knows-no-screens',
      { path: '^shared/build/src/' },
      { path: '^(@dmp/remote-|(host|remote-[^/]+|server|viewer|uploader|shared/release)/)' },
      'The build is called by the packages, it does not import them; a path is a parameter.',
    ),
    forbid(
      'journeys-know-the-contract-only',
      { path: '^e2e/' },
      { path: '^(@dmp/remote-|(host|remote-[^/]+|server|viewer|uploader|shared/(kit|build|release))/)' },
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
      'server-core-is-the-ground',
      { path: '^server/src/core/', pathNot: test },
      { path: '^server/src/', pathNot: '^server/src/core/' },
      'core/ is what the whole server stands on: errors, context, tenant, limits of concurrency. What needs a database, settings or identity belongs on a floor above.',
    ),
    forbid(
      'server-settings-on-core',
      { path: '^server/src/settings/', pathNot: test },
      { path: '^server/src/', pathNot: '^server/src/(core|settings)/' },
      'Settings lie below everything else and import nothing from above. Pass a value instead.',
    ),
    forbid(
      'server-dicom-is-pure',
      { path: '^server/src/dicom/', pathNot: `${test}|/testing/` },
      { path: '^server/src/', pathNot: '^server/src/(core|dicom)/' },
      'dicom/ reads and writes objects; rows, stores and requests belong to modules/scan and modules/dicomweb.',
    ),
    forbid(
      'server-db-on-the-ground',
      { path: '^server/src/db/', pathNot: `${test}|/testing/` },
      { path: '^server/src/', pathNot: '^server/src/(core|settings|dicom|db)/' },
      'db/ knows tables, transactions and the audit chain. A rule about an area belongs to its module.',
    ),
    forbid(
      'server-outside-under-identity',
      { path: '^server/src/outside/', pathNot: `${test}|/testing/` },
      { path: '^server/src/', pathNot: '^server/src/(core|settings|dicom|db|outside)/' },
      'outside/ talks to mail servers and stores. Who asks, and why, is decided above.',
    ),
    forbid(
      'server-identity-under-dependencies',
      { path: '^server/src/identity/', pathNot: test },
      { path: '^server/src/', pathNot: '^server/src/(core|settings|dicom|db|outside|identity)/' },
      'identity/ says who calls. It takes what it needs as parameters, not the Dependencies that hold it; flows of an area belong to modules/account.',
    ),
    forbid(
      'server-dependencies-under-http',
      { path: '^server/src/(dependencies|createDependencies)\\.ts$' },
      { path: '^server/src/(http|gateway|modules|app)' },
      'Modules depend on this code, so it must not depend on a module. Put the interface one floor below.',
    ),
    forbid(
      'server-http-is-the-edge',
      { path: '^server/src/http/', pathNot: test },
      { path: '^server/src/(gateway|modules)/' },
      'http/ is the edge: headers, origins, limits, routes, the live channel. A route with rules of its own is a module, pages and releases are gateway/.',
    ),
    forbid(
      'server-gateway-serves-pages',
      { path: '^server/src/gateway/', pathNot: test },
      { path: '^server/src/(http|modules)/' },
      'gateway/ serves pages and files of releases. What a module decides about them is a function passed by app.ts.',
    ),
    forbid(
      'no-cycles',
      { path: code },
      { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
      'Two files that import each other belong in one file, or need a third one for the part they share.',
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
      { couldNotResolve: true, pathNot: '/(dist|[.]data)/|^@jest/globals$|^@dmp/remote-' },
      'This import cannot be resolved. Write the extension (./x.ts), and install the package.',
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
