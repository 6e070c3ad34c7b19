import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Email, civilities, personName, roleNames, type RoleName } from '@dmp/contract'
import { provider } from '@dmp/contract/examples'
import { pino } from 'pino'
import * as v from 'valibot'
import { sharedNow } from './core/clock.ts'
import { makeServer, type Server } from './app.ts'
import { auditChains } from './auditCommand.ts'
import { readKeys } from './identity/keys.ts'
import { createSetupToken, setupMinutes, toSetupLink } from './identity/setupLink.ts'
import { liftLockout } from './identity/loginAttempts.ts'
import { hashPassword, createTemporaryPassword } from './identity/password.ts'
import { endSessions } from './identity/sessions.ts'
import { makeBucket } from './makeBucketCommand.ts'
import { objectsToFiles } from './objectsToFilesCommand.ts'
import { wholeHeaders } from './wholeHeadersCommand.ts'
import { keysUsage, parseKeysCommand } from './keysCommand.ts'
import { endChallenges } from './modules/account/challenges.ts'
import { parseReleaseKeysCommand, releaseKeysUsage } from './releaseKeysCommand.ts'
import { askServer } from './operator/askServer.ts'
import { hearOnTerminal } from './operator/hearOnTerminal.ts'
import { operatorCommands } from './operator/operatorCommands.ts'
import { readSettings } from './settings/settings.ts'
import { patiently } from './db/patience.ts'
import { makeFolderPrivate } from './core/privateFolder.ts'
import { runCommand } from './core/runCommand.ts'
import { StartFailure } from './core/StartFailure.ts'
import { unlock } from './unlockCommand.ts'

const usage = `Provider accounts, audit chains and keys of a production installation.
The server must not be running on an embedded database, but for setup-link, export and import.

  npm run admin -- setup-link
      prints a link that makes whoever opens it the first administrator; it works while the server
      runs, for an hour, and never once there is one
  npm run admin -- create --email you@provider.example [--first-name Ada] [--last-name Berg]
      [--title Ms] [--role super_admin]
      creates a provider account and prints its temporary password
  npm run admin -- reset --email you@provider.example
      gives an account a new temporary password and ends its sessions, and what was begun with the
      one before: mailed links and codes
  npm run admin -- unlock anyone@clinic.example
      forgets the failed sign-ins of any account, so that its owner need not wait
  npm run admin -- audit [--heads file]… [--json]
      walks every audit chain, compares it with its heads, and names the first break;
      --heads names a further place of heads: a log, a saved mail, a copy.
      Exit code 0: intact. 2: broken. 1: it could not be judged
  npm run admin -- objects-to-files
      makes files of what DMP_APPEND_OBJECTS appended, under the same keys, so that servers from before
      it can read the data folder; it can be stopped and started again
  npm run admin -- whole-headers
      puts back into every header what DMP_SHORT_HEADERS took out, so that servers from before it can
      read the database; it can be stopped and started again
  npm run admin -- make-bucket
      makes the bucket of DMP_S3_BUCKET, unless it is there already
  npm run admin -- export <folder> --organization North-Clinic
      writes everything of an organization into a folder: scans as DICOM folders with a DICOMDIR,
      people, complaints, links and audit events as JSON, and the SHA-256 of each file
  npm run admin -- import <folder> --organization North-Clinic
      takes an export in. People come deactivated; complaints, links and audit events as records of
      elsewhere. Export and import work while the server runs; given again they go on

${keysUsage}

${releaseKeysUsage}`

const Person = v.object({
  email: Email,
  firstName: personName('Please give --first-name.'),
  lastName: personName('Please give --last-name.'),
  title: v.picklist(civilities, `--title is one of ${civilities.join(', ')}.`),
  role: v.picklist(
    ['super_admin', 'sys_admin'] satisfies RoleName[],
    `--role is one of ${roleNames.slice(0, 2).join(', ')}.`,
  ),
})

const request = { id: 'admin', ip: 'this machine' } as const

async function main(): Promise<void> {
  const [area, ...args] = process.argv.slice(2)
  if (area === 'audit') return auditCommand(args)
  if (area === 'setup-link') return printSetupLink()
  if (area === 'make-bucket') return void process.stdout.write(`${await makeBucket(readSettings())}\n`)
  if (area === 'export' || area === 'import') return moveOrganization(area, args)
  await onServer(parseCommand(area, args))
}

function parseCommand(area: string | undefined, args: string[]): (server: Server) => Promise<string> {
  if (area === 'keys') return parseKeysCommand(args, usage)
  if (area === 'objects-to-files' && args.length === 0) return objectsToFiles
  if (area === 'whole-headers' && args.length === 0) return wholeHeaders
  return area === 'release-keys' ? parseReleaseKeysCommand(args, usage) : parseAccountCommand()
}

const onServer = (command: (server: Server) => Promise<string>): Promise<void> =>
  withServer(async (server) => void process.stdout.write(`${await command(server)}\n`))

async function withServer(work: (server: Server) => Promise<void>): Promise<void> {
  const settings = readSettings()
  makeFolderPrivate(settings.dataDir)
  const server = await makeServer(settings, { log: pino({ level: 'silent' }) })
  try {
    await work(server)
  } finally {
    await server.close()
  }
}

/** Needs no database: the server that is opened with the link knows whether it is still empty. */
async function printSetupLink(): Promise<void> {
  const settings = readSettings()
  const token = createSetupToken(await readKeys(settings))
  const url = settings.publicUrl ?? `http://localhost:${settings.port}`
  process.stdout.write(
    `Open this link within ${setupMinutes} minutes to become the first administrator. It works only while there is none.\n\n` +
      `  ${toSetupLink(url, token)}\n`,
  )
}

/** By the server that runs on the data folder, or by one that is opened for it. */
async function moveOrganization(command: 'export' | 'import', args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { organization: { type: 'string' } },
  })
  const [folder, ...more] = positionals
  if (folder === undefined || more.length > 0 || values.organization === undefined) throw new StartFailure(usage)
  const input = { folder: resolve(folder), organization: values.organization }
  const say = hearOnTerminal()
  if (await askServer(readSettings().dataDir, command, input, say)) return
  await withServer(({ deps }) => operatorCommands[command](deps, input, say, new AbortController().signal))
}

async function auditCommand(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      heads: { type: 'string', multiple: true, default: [] },
      json: { type: 'boolean', default: false },
    },
  })
  process.exitCode = await auditChains(readSettings(), values)
}

function parseAccountCommand(): (server: Server) => Promise<string> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      email: { type: 'string' },
      'first-name': { type: 'string', default: 'Platform' },
      'last-name': { type: 'string', default: 'Administrator' },
      title: { type: 'string', default: 'Ms' },
      role: { type: 'string', default: 'super_admin' },
    },
  })
  const command = positionals[0]
  const email = values.email ?? positionals[1]
  if (!isCommand(command) || email === undefined) throw new StartFailure(usage)
  const parsed = v.safeParse(Person, {
    email,
    firstName: values['first-name'],
    lastName: values['last-name'],
    title: values.title,
    role: values.role,
  })
  if (!parsed.success)
    throw new StartFailure(...parsed.issues.map((issue) => `${v.getDotPath(issue) ?? 'input'}: ${issue.message}`))
  return (server) => commands[command](server, parsed.output)
}

type Person = v.InferOutput<typeof Person>

const commands = {
  create,
  reset: (server: Server, { email }: Person) => reset(server, email),
  unlock: (server: Server, { email }: Person) => unlock(server, email),
}
const isCommand = (word: string | undefined): word is keyof typeof commands =>
  word !== undefined && Object.hasOwn(commands, word)

const until = (hours: number): Date => new Date(sharedNow() + hours * 3_600_000)

async function create({ deps }: Server, { email, firstName, lastName, title, role }: Person): Promise<string> {
  const password = createTemporaryPassword()
  const password_hash = await hashPassword(password)
  const existingUser = await deps.db
    .selectFrom('users')
    .select('id')
    .where((where) => where(where.fn('lower', ['email']), '=', email.toLowerCase()))
    .executeTakeFirst()
  if (existingUser)
    throw new StartFailure(
      `${email} already has an account. For a new temporary password: npm run admin -- reset --email ${email}`,
    )
  await deps.write({ viewer: null, request }, async ({ trx, audit }) => {
    const { id } = await trx
      .insertInto('users')
      .values({
        organization_id: provider.id,
        email,
        civility: title,
        first_name: firstName,
        last_name: lastName,
        mobile: null,
        landline: null,
        fax: null,
        role,
        password_hash,
        temporary_until: until(deps.settings.temporaryPasswordHours),
        status_by: 'System',
        status_comment: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await audit({ event: 'AdministratorCreated', organizationId: provider.id, subject: { userId: id, role } })
  })
  return said(email, password, deps.settings.temporaryPasswordHours)
}

async function reset({ deps }: Server, email: string): Promise<string> {
  const password = createTemporaryPassword()
  const password_hash = await hashPassword(password)
  await deps.write({ viewer: null, request }, async (step) => {
    const { trx, audit } = step
    const user = await trx
      .updateTable('users')
      .set({ password_hash, temporary_until: until(deps.settings.temporaryPasswordHours), is_confirmed: false })
      .where((where) => where(where.fn('lower', ['email']), '=', email.toLowerCase()))
      .where('organization_id', '=', provider.id)
      .returning(['id', 'email'])
      .executeTakeFirst()
    if (!user)
      throw new StartFailure(
        `The provider has no account ${email}. To create one: npm run admin -- create --email ${email}`,
      )
    // Whoever knew the password before keeps nothing, nor does whoever reads the mailbox; its owner need not wait.
    await endSessions(step, { userIds: [user.id] }, 'reset by the operator')
    await endChallenges(trx, user.id)
    await liftLockout(trx, deps.keys, user)
    await audit({ event: 'TemporaryPasswordSent', organizationId: provider.id, subject: { userId: user.id } })
  })
  return said(email, password, deps.settings.temporaryPasswordHours)
}

const said = (email: string, password: string, hours: number): string =>
  `${email} can sign in with the temporary password below and then chooses one of their own. It is valid for ${hours} hours.\n\n  ${password}\n`

await patiently(() => runCommand(main, (reason) => `The command failed: ${reason}`))
