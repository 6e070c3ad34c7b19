import { generateKeyPairSync } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild, type Child } from './testing/childServer.ts'

const folder = mkdtempSync(join(tmpdir(), 'dmp-main-'))
const running: Child[] = []
const start = (variables: Record<string, string>, ...more: [string?, string[]?, string[]?]): Child => {
  const child = startChild({ DMP_DEMO: '1', DMP_DATA_DIR: join(folder, 'data'), ...variables }, ...more)
  running.push(child)
  return child
}
afterAll(() => {
  for (const child of running) child.process.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** One clear sentence with the cure, exit code 1, and never a stack trace. */
const refusal = async (child: Child): Promise<string> => {
  const { code, errors } = await child.ended
  expect(code).toBe(1)
  expect(errors).not.toMatch(/^\s+at |node:internal|\.ts:\d+/m)
  return errors.trim()
}

const signingKey = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const production = {
  DMP_DEMO: '',
  DMP_PUBLIC_URL: 'https://dmp.example.org',
  SMTP_URL: 'smtp://127.0.0.1:9',
  DMP_SECRET: 's'.repeat(40),
  DMP_SIGNING_KEY: signingKey,
}

/** Where it listens: in production it announces the public address, which stands before it. */
async function listening({ said }: Child): Promise<string> {
  for (;;) {
    const address = /listening at (http:\/\/127\.0\.0\.1:\d+)/.exec(said.out)?.[1]
    if (address) return address
    await new Promise((again) => setTimeout(again, 50))
  }
}

describe('a server that cannot start', () => {
  it('says which settings are wrong, all at once, and repeats no secret [P21, P23]', async () => {
    const errors = await refusal(
      start({ PORT: 'x', DMP_IDLE_MINUTES: '-1', DMP_SECRET: 'tooshort', DMP_IDEL_MINUTES: '3' }),
    )
    expect(errors).toContain('PORT is wrong: "x" is not a number.')
    expect(errors).toContain('DMP_IDLE_MINUTES is wrong: "-1"')
    expect(errors).toContain('DMP_SECRET is wrong: Its value is shorter than 32 characters.')
    expect(errors).toContain('DMP_IDEL_MINUTES is not a setting. The settings are listed in docs/operations.md.')
    expect(errors).not.toContain('tooshort')
  })

  it('names the secrets that production lacks', async () => {
    const errors = await refusal(start({ DMP_DEMO: '' }))
    for (const name of ['DMP_PUBLIC_URL', 'DMP_SIGNING_KEY', 'DMP_SECRET', 'SMTP_URL'])
      expect(errors).toContain(`${name} is not set.`)
  })

  it('says how to make a signing key when it is none', async () => {
    expect(
      await refusal(
        start({
          ...production,
          DMP_DATA_DIR: join(folder, 'key'),
          DMP_SIGNING_KEY: signingKey.replace(/\n.+\n/, '\nxx\n').replaceAll('\n', '\\n'),
        }),
      ),
    ).toContain('openssl genpkey -algorithm ed25519')
  })

  it('says that the database is down, without its password [P21, P23]', async () => {
    const errors = await refusal(start({ DATABASE_URL: 'postgres://dmp:hunter2@127.0.0.1:9/dmp' }))
    expect(errors).toMatch(
      /The database dmp at 127\.0\.0\.1:9 does not respond \(.+\)\. Start it, or correct DATABASE_URL\./,
    )
    expect(errors).not.toContain('hunter2')
  })

  it('says that the data folder cannot be made or written [P21]', async () => {
    const file = join(folder, 'a-file')
    writeFileSync(file, '')
    expect(await refusal(start({ DMP_DATA_DIR: join(file, 'data') }))).toContain(
      'cannot be created. Make its parent writable, or name another folder with DMP_DATA_DIR.',
    )
    const locked = join(folder, 'locked')
    mkdirSync(join(locked, 'lock'), { recursive: true })
    chmodSync(locked, 0o500)
    expect(await refusal(start({ DMP_DATA_DIR: locked }))).toContain(`The data folder ${locked} is not writable.`)
  })
})

describe('a server that cannot listen', () => {
  it('says that the machine has no such address [P21]', async () => {
    const variables = { ...production, DMP_DATA_DIR: join(folder, 'elsewhere'), DMP_HOST: '192.0.2.1' }
    expect(await refusal(start(variables))).toBe(
      'This machine has no address 192.0.2.1. Correct DMP_HOST, or leave it out to listen on 0.0.0.0.',
    )
  })
})

describe('a server that runs', () => {
  it('goes on for everybody when something fails that nobody waited for, and warns of an address without TLS [P18, P23]', async () => {
    const forget = 'setTimeout(() => void Promise.reject(new Error("forgotten by its maker")), 10)'
    const asked = `data:text/javascript,${encodeURIComponent(`process.on("SIGUSR2", () => ${forget})`)}`
    const secretFile = join(folder, 'secret')
    writeFileSync(secretFile, `${production.DMP_SECRET}\n`)
    const variables = {
      ...production,
      DMP_DATA_DIR: join(folder, 'open'),
      DMP_PUBLIC_URL: 'http://dmp.example.org',
      DMP_SECRET: '',
      DMP_SECRET_FILE: secretFile,
    }
    const open = start(variables, undefined, undefined, ['--import', asked])
    await open.ready
    open.process.kill('SIGUSR2')
    while (!open.said.out.includes('forgotten by its maker')) {
      expect(open.process.exitCode).toBeNull()
      await new Promise((again) => setTimeout(again, 50))
    }
    expect(open.said.out).toContain('something failed that nobody waited for')
    expect((await fetch(`${await listening(open)}/healthz`)).status).toBe(200)
    open.process.kill('SIGTERM')
    expect((await open.ended).errors).toContain('WARNING: DMP_PUBLIC_URL is http://dmp.example.org, without TLS')
  })

  it('keeps a second one from its folder and port, stops cleanly, and frees both [P21]', async () => {
    const first = start({})
    const url = await first.ready
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    // Other accounts of the machine cannot look into it [P24].
    expect(statSync(join(folder, 'data')).mode & 0o077).toBe(0)
    expect(await refusal(start({}))).toBe(
      `Another server (process ${first.process.pid}) is using the data folder ${join(folder, 'data')}. Stop it first, or name another folder with DMP_DATA_DIR.`,
    )

    first.process.kill('SIGTERM')
    expect((await first.ended).code).toBe(0)
    await expect(fetch(`${url}/healthz`)).rejects.toThrow('fetch failed')

    // After a kill nothing stands in the way either, and what was under way then is gone.
    const left = join(folder, 'data', 'incoming', 'left.part')
    writeFileSync(left, 'half an object')
    const second = start({})
    await second.ready
    expect(existsSync(left)).toBe(false)
    second.process.kill('SIGKILL')
    await second.ended
    const blocker = createServer().listen(0, '127.0.0.1')
    await new Promise((listening) => blocker.once('listening', listening))
    const { port } = blocker.address() as { port: number }
    const errors = await refusal(start({ PORT: String(port) }))
    expect(errors).toBe(
      `Port ${port} is taken by another program. Stop that program, or choose another port: PORT=${port + 1} npm start`,
    )
    blocker.close()
  })

  it('has in production no demo account, no demo page and no accounts at all until one is made', async () => {
    const data = { ...production, DMP_DATA_DIR: join(folder, 'production') }
    const made = await start(data, 'admin.ts', ['create', '--email', 'boss@provider.example']).ended
    expect([made.code, made.errors]).toEqual([0, ''])
    const password = /^ {2}(\S{16})$/m.exec(made.out)?.[1] ?? ''
    expect(existsSync(join(data.DMP_DATA_DIR, 'demo-keys.json'))).toBe(false)

    const server = start(data)
    expect(await server.ready).toBe('https://dmp.example.org')
    const address = await listening(server)
    expect(server.said.out).not.toContain('DemoPassw0rd!')
    const call = async (name: string, body: object) => {
      const reply = await fetch(`${address}/api/account/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return {
        status: reply.status,
        body: (await reply.json()) as { data?: { challengeName: string; session: string; accessToken: string } },
      }
    }
    const login = (email: string, word: string) => call('login', { ClientId: 'dmp-web', email, password: word })
    expect((await login('super@dmp.example', 'DemoPassw0rd!')).status).toBe(401)
    const challenge = (await login('boss@provider.example', password)).body.data
    expect(challenge?.challengeName).toBe('new-password-required')
    for (const path of ['/dev/mail', '/dev/mail.json', '/dev/app.js'])
      expect((await fetch(address + path)).status).toBe(404)
    const chosen = await call('setNewPassword', {
      clientId: 'dmp-web',
      session: challenge?.session,
      challengeResponse: { userName: 'boss@provider.example', newPassword: 'Chosen by me 1!' },
    })
    const profile = await fetch(`${address}/api/account/profile`, {
      headers: { authorization: `Bearer ${chosen.body.data?.accessToken ?? ''}` },
    })
    expect(((await profile.json()) as { data: unknown }).data).toMatchObject({
      email: 'boss@provider.example',
      isConfirmed: true,
    })
    // Whoever asks twice does not want to wait.
    server.process.kill('SIGTERM')
    server.process.kill('SIGINT')
    expect((await server.ended).code).toBe(1)
  })
})
