import { spawn, type ChildProcess } from 'node:child_process'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { placeEngine, removeEngine } from '../workspace/containerEngine.ts'
import { writeBundle } from '../workspace/bundle.ts'
import { readText } from '../workspace/files.ts'
import { runProcess } from '../workspace/runProcess.ts'
import type { TestTotals } from '../workspace/testTotals.ts'
import { findPort } from './bareDirectory.ts'
import { storeKey, writeStandIns } from './standIns.ts'

type Claim = (holds: boolean, sentence: string) => void
const claims = 13
const startMs = 240_000

/**
 * The image of `deploy/Containerfile` and all of `deploy/compose.yaml`, started by podman and docker-compose; the
 * images of others are made of Debian's packages.
 */
export async function containers(): Promise<TestTotals> {
  const work = mkdtempSync(join(tmpdir(), 'dmp-containers-'))
  chmodSync(work, 0o755)
  const failures: string[] = []
  const claim: Claim = (holds, sentence) => {
    if (!holds) failures.push(sentence)
  }
  const engine = await startEngine(work)
  try {
    await buildImages(work, engine)
    await judge(await bringUp(work, engine), engine, claim)
  } finally {
    await engine.stop()
    removeEngine(work)
  }
  failures.forEach((failure) => console.error(failure))
  return { passed: claims - failures.length, failed: failures.length, failures }
}

interface Engine {
  /** Runs a command of podman; throws what it says where it fails, unless its code is asked for. */
  podman(...args: string[]): Promise<string>
  codeOf(...args: string[]): Promise<number>
  compose(folder: string, ...args: string[]): Promise<string>
  stop(): Promise<void>
}

async function startEngine(work: string): Promise<Engine> {
  const place = placeEngine(work)
  const socket = `unix://${join(work, 'podman.sock')}`
  const env = { ...place.env, DOCKER_HOST: socket, COMPOSE_PROJECT_NAME: 'dmp' }
  const service: ChildProcess = spawn('podman', [...place.args, 'system', 'service', '-t', '0', socket], {
    env: { ...process.env, ...env },
    stdio: 'ignore',
  })
  const run = async (program: string, args: string[], cwd?: string): Promise<{ code: number; text: string }> =>
    runProcess(program, args, { isQuiet: true, env, ...(cwd !== undefined && { cwd }) })
  const orThrow = ({ code, text }: { code: number; text: string }): string => {
    if (code !== 0) throw new Error(text.slice(-2000))
    return text
  }
  while (!existsSync(join(work, 'podman.sock'))) await pause(50)
  return {
    podman: async (...args) => orThrow(await run('podman', [...place.args, ...args])),
    codeOf: async (...args) => (await run('podman', [...place.args, ...args])).code,
    compose: async (folder, ...args) => orThrow(await run('docker-compose', args, folder)),
    stop: async () => {
      await run('podman', [...place.args, 'rm', '-f', '-a', '-t', '0'])
      await run('podman', [...place.args, 'network', 'rm', '-f', 'dmp_default'])
      service.kill('SIGTERM')
    },
  }
}

const findImage = (compose: string, service: string): string =>
  new RegExp(`^  ${service}:\\n(?:    .*\\n)*?    image: (\\S+)`, 'm').exec(compose)?.[1] ?? ''

async function buildImages(work: string, { podman }: Engine): Promise<void> {
  const compose = readText('deploy/compose.yaml')
  const recipe = readText('deploy/Containerfile')
  const last = recipe.slice(recipe.lastIndexOf('\nFROM ') + 1)
  const others = Object.fromEntries(
    ['postgres', 'pgbouncer', 'balancer', 'store'].map((name) => [name, findImage(compose, name)]),
  )
  const standIns = writeStandIns(work, { ...others, node: /^FROM (\S+)/.exec(last)?.[1] ?? '' })
  for (const { folder, image } of standIns) await podman('build', '-q', '--format', 'docker', '-t', image, folder)
  // What the first stage of the recipe does.
  const built = join(work, 'build')
  mkdirSync(join(built, 'data'), { recursive: true })
  await writeBundle(join(built, 'app'))
  await runProcess('chmod', ['-R', 'a-w,a+rX', join(built, 'app')], { isQuiet: true })
  writeFileSync(join(work, 'Containerfile'), last)
  const context = `--build-context=build=${built}`
  await podman(
    'build',
    '-q',
    '--format',
    'docker',
    '--pull-never',
    context,
    '-t',
    'dmp',
    '-f',
    join(work, 'Containerfile'),
    built,
  )
}

/** Returns the address of the balancer. */
async function bringUp(work: string, { podman, codeOf, compose }: Engine): Promise<string> {
  const folder = join(work, 'deploy')
  mkdirSync(folder)
  const port = await findPort()
  const text = readText('deploy/compose.yaml')
    // Debian's version of docker-compose is from before projects had names in their files.
    .replace(/^name: dmp\n/m, '')
    .replace("'8080:8080'", `'127.0.0.1:${port}:8080'`)
  writeFileSync(join(folder, 'compose.yaml'), text)
  writeFileSync(join(folder, 'haproxy.cfg'), readText('deploy/haproxy.cfg'))
  writeFileSync(join(folder, '.env'), writeSecrets(`http://127.0.0.1:${port}`))
  let outcome: { failure?: Error } | undefined
  void compose(folder, 'up', '-d').then(
    () => (outcome = {}),
    (failure: Error) => (outcome = { failure }),
  )
  // Without systemd nobody else looks after the health of containers.
  while (!outcome) {
    await codeOf('healthcheck', 'run', 'dmp_postgres_1')
    await pause(1000)
  }
  if (outcome.failure) {
    const logs = await Promise.all(
      ['postgres', 'bucket', 'migrate'].map((name) => podman('logs', `dmp_${name}_1`).catch(String)),
    )
    throw new Error([outcome.failure.message, ...logs].join('\n'))
  }
  return `http://127.0.0.1:${port}`
}

function writeSecrets(url: string): string {
  const key = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const secrets = {
    DMP_PUBLIC_URL: url,
    SMTP_URL: 'smtp://127.0.0.1:9',
    DMP_SECRET: randomBytes(32).toString('hex'),
    DMP_SIGNING_KEY: key.replaceAll('\n', '\\n'),
    DMP_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    POSTGRES_PASSWORD: randomBytes(16).toString('hex'),
    S3_ACCESS_KEY_ID: storeKey,
    S3_SECRET_ACCESS_KEY: storeKey,
  }
  return Object.entries(secrets)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
}

async function judge(url: string, engine: Engine, claim: Claim): Promise<void> {
  const { podman, codeOf } = engine
  const node = '/nodejs/bin/node'
  const exec = (code: string): Promise<string> => podman('exec', 'dmp_server-a_1', node, '-e', code)
  const exitOf = async (name: string): Promise<string> =>
    (await podman('inspect', '-f', '{{.State.ExitCode}}', name)).trim().split('\n').at(-1) ?? ''
  claim((await exitOf('dmp_migrate_1')) === '0', 'The migration failed.')
  claim((await exitOf('dmp_bucket_1')) === '0', 'The bucket was not made.')
  claim(await answersInTime(url), 'The balancer answers nothing but 503.')
  for (const server of ['dmp_server-a_1', 'dmp_server-b_1'])
    claim((await codeOf('healthcheck', 'run', server)) === 0, `${server} is not healthy by its own check.`)
  claim((await exec('process.stdout.write(`${process.getuid()}`)')).endsWith('65532'), 'A server is another user.')
  const write = (path: string) =>
    exec(`try { fs.writeFileSync('${path}/x', ''); console.log('written') } catch (cause) { console.log(cause.code) }`)
  for (const [path, outcome] of [
    ['/app', 'EROFS'],
    ['/', 'EROFS'],
    ['/data', 'written'],
    ['/tmp', 'written'],
  ] as const)
    claim((await write(path)).trim().endsWith(outcome), `Writing to ${path} does not end with ${outcome}.`)
  claim((await codeOf('exec', 'dmp_server-a_1', '/bin/sh', '-c', 'true')) !== 0, 'There is a shell.')
  const admin = await podman(
    'exec',
    'dmp_server-b_1',
    node,
    'server/src/admin.ts',
    'create',
    '--email',
    'you@provider.example',
  )
  claim(await canSignIn(url, admin.trim().split('\n').at(-1)?.trim() ?? ''), 'Nobody can sign in.')
  claim(await leavesPolitely(url, engine), 'While one of the servers was stopped, a call was refused.')
}

async function answersInTime(url: string): Promise<boolean> {
  const until = performance.now() + startMs
  while (performance.now() < until) {
    const { status } = await fetch(`${url}/readyz`).catch(() => ({ status: 0 }))
    if (status === 200) return true
    await pause(500)
  }
  return false
}

async function canSignIn(url: string, password: string): Promise<boolean> {
  const answer = await fetch(`${url}/api/account/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ClientId: 'dmp-web', email: 'you@provider.example', password }),
  })
  return answer.status === 200
}

/** `podman stop`, as compose does it for an upgrade, while somebody calls. */
async function leavesPolitely(url: string, { podman }: Engine): Promise<boolean> {
  let isStopped = false
  const stopping = podman('stop', '-t', '40', 'dmp_server-a_1').finally(() => (isStopped = true))
  const statuses = new Set<number>()
  while (!isStopped) {
    statuses.add(
      (await fetch(`${url}/login`, { headers: { accept: 'text/html' } }).catch(() => ({ status: 0 }))).status,
    )
    await Promise.race([stopping.catch(() => undefined), pause(50)])
  }
  await stopping
  return [...statuses].join() === '200'
}
