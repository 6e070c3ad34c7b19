import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  globSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../workspace/files.ts'

/**
 * The images of others that `deploy/` names, made of what this machine has from Debian: the same programs, users,
 * settings and commands. No registry is asked.
 */
export interface StandIn {
  readonly image: string
  /** Holds its recipe, and all that this takes. */
  readonly folder: string
}

const execText = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

/** A program and every library that it loads. */
function withLibraries(programs: readonly string[]): string[] {
  const loaded = programs.flatMap((program) => {
    try {
      return [...execText('ldd', program).matchAll(/(?:=> |^\t)(\/\S+)/gm)].map(([, path]) => path ?? '')
    } catch {
      return [] // A script, or linked statically.
    }
  })
  return [...programs, ...loaded]
}

/** As the base of our own image has them whole: packages load more than Node itself does. */
const base = ['libc6', 'libgcc-s1', 'libstdc++6', 'ca-certificates']
const listFiles = (name: string): string[] =>
  execText('dpkg', '-L', name)
    .split('\n')
    .filter((path) => /\.so(?:\.|$)|^\/etc\/ssl\//.test(path) && statSync(path).isFile())

const system = [
  '/etc/nsswitch.conf',
  '/etc/services',
  '/etc/protocols',
  '/usr/share/zoneinfo',
  '/usr/lib/locale/C.utf8',
]
/** PostgreSQL itself asks for `/bin/sh`. */
const tools = ['/bin/sh', ...['sh', 'mkdir', 'chown', 'chmod', 'cat', 'setpriv'].map((name) => `/usr/bin/${name}`)]

/** Packs files of this machine; links of folders such as `/lib` are followed. */
function pack(folder: string, files: readonly string[]): void {
  const names = join(folder, 'names')
  writeFileSync(names, [...new Set(files)].map((path) => path.slice(1)).join('\n'))
  execFileSync('tar', ['-C', '/', '-h', '-cf', join(folder, 'files.tar'), '-T', names])
}

const asUser = 'exec setpriv --reuid postgres --regid postgres --clear-groups'

/** What the image of PostgreSQL does with its settings. */
const startPostgres = (bin: string): string => `set -e
chmod 1777 /tmp
data=/var/lib/postgresql/data
mkdir -p "$data" /var/run/postgresql
chown postgres "$data" /var/run/postgresql
chmod 700 "$data"
printf %s "$POSTGRES_PASSWORD" >/tmp/password
chmod 644 /tmp/password
as() { setpriv --reuid postgres --regid postgres --clear-groups "$@"; }
as ${bin}/initdb -D "$data" -U "$POSTGRES_USER" --pwfile=/tmp/password --auth-host=scram-sha-256 --auth-local=trust \\
  -E UTF8 --locale=C.UTF-8
printf 'host all all all scram-sha-256\\n' >>"$data/pg_hba.conf"
as ${bin}/pg_ctl -D "$data" -w -o "-c listen_addresses='' -c unix_socket_directories=/tmp" start
as ${bin}/createdb -h /tmp -U "$POSTGRES_USER" "$POSTGRES_DB"
as ${bin}/pg_ctl -D "$data" -w -m fast stop
${asUser} ${bin}/postgres -D "$data" -c 'listen_addresses=*' -c fsync=off
`

/** What the image of PgBouncer does with its settings. */
const startPooler = `set -e
address=\${DATABASE_URL#*://}
who=\${address%%@*}
where=\${address#*@}
host=\${where%%/*}
printf '"%s" "%s"\\n' "\${who%%:*}" "\${who#*:}" >/tmp/users
cat >/tmp/pgbouncer.ini <<END
[databases]
\${where#*/} = host=\${host%%:*} port=\${host##*:}
[pgbouncer]
listen_addr = 0.0.0.0
listen_port = $LISTEN_PORT
auth_type = $AUTH_TYPE
auth_file = /tmp/users
pool_mode = $POOL_MODE
max_client_conn = $MAX_CLIENT_CONN
default_pool_size = $DEFAULT_POOL_SIZE
unix_socket_dir =
END
chown postgres /tmp/users /tmp/pgbouncer.ini
${asUser} pgbouncer /tmp/pgbouncer.ini
`

/** The S3 store of our tests, since Debian has none. It knows one pair of keys. */
export const storeKey = 'S3RVER'
const startStore = `import S3rver from '@20minutes/s3rver'
const server = new S3rver({ address: '0.0.0.0', port: 9000, directory: '/data', silent: true, vhostBuckets: false })
await server.run()
`

/** Writes a folder for each image, with everything that its recipe takes. */
export function writeStandIns(work: string, images: Readonly<Record<string, string>>): StandIn[] {
  const bin = globSync('/usr/lib/postgresql/*/bin').sort().at(-1) ?? ''
  const version = bin.split('/').at(-2) ?? ''
  const users = ['/etc/passwd', '/etc/group', ...system]
  const made = (name: string, files: readonly string[], recipe: readonly string[], script?: string): StandIn => {
    const folder = join(work, name)
    mkdirSync(folder)
    pack(folder, files)
    if (script !== undefined) writeFileSync(join(folder, 'start'), script)
    writeFileSync(join(folder, 'Containerfile'), ['FROM scratch', 'ADD files.tar /', ...recipe].join('\n'))
    return { folder, image: images[name] ?? '' }
  }
  const shell = ['WORKDIR /tmp', 'COPY start /start', 'ENTRYPOINT ["/usr/bin/sh", "/start"]']
  const programs = ['postgres', 'initdb', 'pg_ctl', 'createdb', 'pg_isready', 'psql'].map((name) => join(bin, name))
  const libraries = globSync(`/usr/lib/postgresql/${version}/lib/*.so`).filter((path) => !path.includes('llvm'))
  const store = withNode('store', [
    'COPY packages /packages',
    'WORKDIR /packages',
    'ENTRYPOINT ["/nodejs/bin/node", "--openssl-legacy-provider", "start.mjs"]',
  ])
  const packages = join(store.folder, 'packages')
  copyPackage('@20minutes/s3rver', join(root, 'shared/bucket/node_modules/@20minutes/s3rver'), packages)
  writeFileSync(join(packages, 'start.mjs'), startStore)
  return [
    made(
      'postgres',
      [...users, `/usr/share/postgresql/${version}`, ...withLibraries([...tools, ...programs, ...libraries])],
      [`ENV PATH=/usr/bin:${bin}`, 'ENV TZ=UTC', ...shell],
      startPostgres(bin),
    ),
    made(
      'pgbouncer',
      [...users, ...withLibraries([...tools, '/usr/sbin/pgbouncer'])],
      ['ENV PATH=/usr/bin:/usr/sbin', ...shell],
      startPooler,
    ),
    made(
      'balancer',
      [...users, ...withLibraries(['/usr/sbin/haproxy'])],
      ['USER haproxy', 'ENTRYPOINT ["/usr/sbin/haproxy", "-W", "-db", "-f", "/usr/local/etc/haproxy/haproxy.cfg"]'],
    ),
    withNode('node', ['USER 65532:65532', 'ENTRYPOINT ["/nodejs/bin/node"]']),
    store,
  ]

  function withNode(name: string, recipe: readonly string[]): StandIn {
    const standIn = made(
      name,
      [...users, ...base.flatMap(listFiles), ...withLibraries([process.execPath]).slice(1)],
      ['COPY node /nodejs/bin/node', ...recipe],
    )
    cpSync(process.execPath, join(standIn.folder, 'node'))
    chmodSync(join(standIn.folder, 'node'), 0o755)
    return standIn
  }
}

/** A package with all that it needs, as pnpm lays it out. */
function copyPackage(name: string, from: string, to: string): void {
  const entries = new Set<string>()
  const visit = (path: string): void => {
    const [store = '', rest = ''] = realpathSync(path).split('/.pnpm/')
    const entry = rest.slice(0, rest.indexOf('/'))
    if (entries.has(entry)) return
    entries.add(entry)
    const at = join(store, '.pnpm', entry)
    cpSync(at, join(to, 'node_modules/.pnpm', entry), { recursive: true, verbatimSymlinks: true })
    for (const link of globSync(['*', '@*/*'], { cwd: join(at, 'node_modules') }))
      if (lstatSync(join(at, 'node_modules', link)).isSymbolicLink()) visit(join(at, 'node_modules', link))
  }
  visit(from)
  const rest = realpathSync(from).split('/.pnpm/')[1] ?? ''
  mkdirSync(dirname(join(to, 'node_modules', name)), { recursive: true })
  symlinkSync(join('../.pnpm', rest), join(to, 'node_modules', name))
}
