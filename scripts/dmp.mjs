// What every npm script does: has the packages installed, then runs the command with the project's own Node.
// Plain JavaScript without dependencies, because it is what runs before anything is installed, by any Node from 20 on;
// `dmp.cjs` says so to older ones.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const commands = {
  start: 'the whole product in demo mode: builds what is stale, then serves it',
  serve: 'production mode: no demo accounts, refuses to start without its secrets',
  dev: 'the product from its sources: what you edit is on open pages at once, with their state; -- --inspect for a debugger of the server',
  build: 'builds host, remotes and viewer, publishes them to the local registry and weighs their first pages',
  'build:uploader': 'the uploader for Windows and Linux, each one file with nothing to install',
  check:
    'layout, types, lint, dependency rules, shapes, regular expressions: what changed since it passed; -- --all for everything',
  test: 'check, unit, server and end-to-end tests, as far as they depend on what has changed; -- --all for everything',
  e2e: 'journeys in a real browser, against the local product or BASE_URL; with -- seed, unseed or compare, its world and its runs',
  skew: 'composes host and remotes of now and before, pair by pair, in a browser',
  bench: 'bytes and times beside a static build of the same sources',
  'bench:identity':
    'sign-ins, what other calls feel of them, what time tells about accounts, idle live channels: npm run bench:identity -- 10000',
  'bench:attack': 'what one customer feels while another attacks: times, memory and refusals',
  'bench:encryption': 'uploads and downloads with and without encryption at rest',
  'bench:work': 'what developers wait for: edits, check, start: npm run bench:work -- edits',
  'bench:share': 'from a share link to the first image on a phone at slow 4G: npm run bench:share -- 5',
  'bench:scans': 'uploads, lists, searches and memory, beside Orthanc on the same machine',
  'bench:downloads':
    'a zip and a study by WADO-RS beside a plain file server: npm run bench:downloads -- --slices 3000',
  chaos:
    'three servers, a fail-over, a bucket and a balancer, each taken away in turn while people work: npm run chaos -- primary',
  fuzz: 'sends broken input to a server: npm run fuzz -- --minutes 60 --seed 1 --target dicom',
  mutate: 'seeds small faults in a copy and counts those that the tests catch: npm run mutate -- 60',
  clauses: 'every clause of docs/product.md with the tests that show it',
  changeset: 'notes what changed in contract or kit; with -- version, raises their versions',
  locales: 'brings the catalogues of all languages to what the sources say; -- --check only tells',
  sentences: 'every sentence that people read, with the clause that fixes its wording: npm run sentences -- --odd',
  ingest: 'reads a folder of DICOM files into an organization',
  fsck: 'compares the database with the store of objects, byte for byte: npm run fsck -- --repair',
  backup: 'bytes and rows into a folder, also while servers run: npm run backup -- /backup --keep 14',
  restore: 'gives a backup back, or proves with --check that it could: npm run restore -- /backup --check',
  admin: 'accounts of a production installation: npm run admin -- create --email …',
  migrate: 'brings the database to this version, apart from the server',
  new: 'a new remote in the common shape, or with --standalone a repository of its own: npm run new -- remote-audit',
  pack: 'contract, kit, build and command as packages that other repositories install, into dist/packages',
  bundle:
    'what runs in production, and nothing else, in one folder, as deploy/Containerfile wants it: npm run bundle -- dist/bundle',
  sbom: 'what server, uploader and each live part are made of, as CycloneDX, into dist/sbom',
  release: 'check, publish, try with some people, make live, roll back one remote',
}

const [command, ...options] = process.argv.slice(2)
const root = dirname(dirname(fileURLToPath(import.meta.url)))

if (!command || !Object.hasOwn(commands, command)) {
  const list = Object.entries(commands).map(([name, about]) => `  npm run ${name.padEnd(14)} ${about}`)
  stop(`${command ? `There is no command "${command}". ` : ''}The commands:\n${list.join('\n')}`)
}

const { ensureInstalled } = await import('./install.mjs')
const problem = await ensureInstalled(root)
if (problem) stop(problem)

const script = join(root, 'scripts', 'commands', `${command.replace(':', '-')}.ts`)
if (!existsSync(script)) stop(`${script} is missing. This checkout is incomplete. Restore it: git checkout -- scripts`)

const node = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
// A database whose thread is ended takes the process along where compiled code is guarded by keys (nodejs/node#64500).
const flags = ['--disable-warning=ExperimentalWarning', '--no-memory-protection-keys']
const child = spawn(node, [...flags, script, ...options], {
  stdio: 'inherit',
  // The C library keeps a pool of freed memory for each thread, which a server with many buffers never gives back; two
  // are as quick.
  // Compiled sources are kept, so that every process after the first starts in half the time.
  env: {
    MALLOC_ARENA_MAX: '2',
    NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node'),
    ...process.env,
    PATH: [dirname(node), join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
  },
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  // The child decides when it is done (open requests, data to write); this process only passes the word on.
  // Ctrl-C reaches both from the terminal itself.
  process.on(signal, () => signal !== 'SIGINT' && child.kill(signal))
}
child.on('error', (error) =>
  stop(`The project's own Node did not start (${error.message}). Remove node_modules and run it again.`),
)
child.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal === 'SIGINT' || signal === 'SIGTERM' ? 0 : 1)
})

function stop(sentence) {
  console.error(sentence)
  process.exit(1)
}
