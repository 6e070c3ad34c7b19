import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { Stop } from './stop.ts'

const commands = ['window', 'service', 'update'] as const
export type Command = (typeof commands)[number]

/** The command line. Passwords never stand there: every user of the machine can read it. */
export interface Options {
  readonly folders: readonly string[]
  readonly server: string | undefined
  readonly email: string | undefined
  readonly config: string | undefined
  readonly state: string | undefined
  /** The address of the server that is to give this machine an API token. */
  readonly connect: string | undefined
  /** What lies here may go to another organization than before. */
  readonly isOtherOrganization: boolean
  readonly isDisconnect: boolean
  readonly isWatching: boolean | undefined
  readonly isDryRun: boolean
  readonly again: boolean
  /** What is done in place of sending. */
  readonly command: Command | undefined
  /** What `service` is to do. */
  readonly serviceVerb: string | undefined
  /** Started by the system, as `service install` says it: there is no terminal. */
  readonly isService: boolean
  /** The window's address is printed, and no browser opened. */
  readonly isNoOpen: boolean
  readonly isHelp: boolean
  readonly isVersion: boolean
}

export const help = `Sends DICOM files to the Data Management Platform. Files that were sent before are not sent again.

  dmp-uploader --connect <address>
  dmp-uploader [options] [folder or file …]
  dmp-uploader window [options] [folder …]
  dmp-uploader service install | remove | status
  dmp-uploader update

  window               a page on this machine, for it alone: drop files, folders to watch, queue, what failed, pause;
                       watches until it is stopped. --no-open only prints the address
  service              starts the window's work with this machine (systemd, launchd, Windows Task Scheduler)
  update               fetches the newest uploader that the server offers, if it is signed

  --connect <address>  connect this machine: shows a code, which an administrator enters in the browser; the API token
                       goes into the settings file, which only you can read then
  --other-organization with --connect: what this machine watches, and what waits, goes to another organization than
                       before
  --disconnect         end that API token and forget it
  --server <address>   the product's address, such as https://dmp.clinic.example
  --email <email>      the service user (or another account that may upload)
  --watch              keep looking for new files until stopped
  --again              also send what was sent or refused before
  --dry-run            only report what would be sent
  --config <file>      settings; default: dmp-uploader.json in the current folder, else beside the program, else in
                       the folder of journal and log
  --state <folder>     where journal and log are kept; default: .dmp-uploader in the home folder
  --environment <file> variables for what is started, as "service install" keeps them (proxy, authorities)
  --help, --version

A machine that is connected needs no account, nor does one with an API token that an administrator made under
Account > API tokens: set UPLOADER_API_TOKEN, or "apiToken" in the settings file. Otherwise the uploader asks for
the password, or takes it from UPLOADER_PASSWORD or from "password" in the settings file.
Settings file: {"server": "…", "email": "…", "password": "…", "apiToken": "…",
               "folders": ["…"], "watch": true, "atOnce": 4, "lookEverySeconds": 10, "name": "CT in room 3",
               "slower": {"kilobytesPerSecond": 500, "from": "07:00", "to": "18:00"}, "update": true,
               "gateway": {"aeTitle": "DMP_GATEWAY", "port": 11112, "reserveGigabytes": 5, "tls": {"port": 2762},
                           "partners": [{"aeTitle": "CT_ROOM3", "address": "10.0.0.7", "port": 104}]},
               "deidentify": false}
"gateway" takes what devices send that only speak DICOM (C-STORE, storage commitment), while window or --watch runs:
from its partners alone, kept on this disk (received/ in the state folder, down to the reserve) until the server has
it. "host" is the address of this machine that listens, if not all; a partner's "port" takes commitments later.
With "tls" it also listens with TLS, with a certificate of its own (gateway/certificate.pem in the state folder) or with
"certificateFile" and "keyFile"; "authoritiesFile" asks partners for a certificate of theirs, and a partner's
"fingerprint" (SHA-256) for that one.
With "deidentify" nothing leaves this machine but copies that name nobody, after the Basic Profile of DICOM (PS3.15),
with new UIDs that deidentification.key in the state folder makes, the same for one object. Keep a copy of that key.
What may show a name in its picture is not sent. The server then has no originals, so devices get no commitments.
Environment: UPLOADER_SERVER, UPLOADER_EMAIL, UPLOADER_PASSWORD, UPLOADER_API_TOKEN; behind a proxy HTTPS_PROXY and
NO_PROXY, with an authority of your own NODE_EXTRA_CA_CERTS (a PEM file) or the store of the system.

Exit codes: 0 everything is stored · 1 something was refused or could not be sent · 2 wrong usage · 3 not signed in
Of "service install": 1 the system did not start it. Of "service status", as of systemctl: 0 it runs · 3 it is installed
and does not run · 4 it is not installed
`

/** Reads the command line. Throws a Stop that says what is wrong. */
export function readOptions(args: readonly string[]): Options {
  if (args.some((word) => /^--?(pass|password|pw)\b/i.test(word))) {
    throw new Stop(
      'A password does not belong on the command line, where everyone on this machine can read it. Leave it out to be asked for it, or set UPLOADER_PASSWORD.',
    )
  }
  if (args.some((word) => /^--?(api-?token|token|key)\b|^dmp_/i.test(word))) {
    throw new Stop(
      'An API token does not belong on the command line, where everyone on this machine can read it. Set UPLOADER_API_TOKEN, or "apiToken" in the settings file.',
    )
  }
  const { values, positionals } = parse(args)
  const command = commands.find((each) => each === positionals[0])
  const words = command === undefined ? positionals : positionals.slice(1)
  return {
    folders: command === 'service' ? [] : words,
    command,
    serviceVerb: command === 'service' ? words.join(' ') : undefined,
    isService: values.environment !== undefined,
    isNoOpen: values['no-open'] ?? false,
    server: values.server ?? values.connect,
    email: values.email,
    config: values.config,
    state: values.state,
    connect: values.connect,
    isOtherOrganization: values['other-organization'] ?? false,
    isDisconnect: values.disconnect ?? false,
    isWatching: values.watch,
    isDryRun: values['dry-run'] ?? false,
    again: values.again ?? false,
    isHelp: values.help ?? false,
    isVersion: values.version ?? false,
  }
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const
  const yes = { type: 'boolean' } as const
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        connect: text,
        disconnect: yes,
        'other-organization': yes,
        server: text,
        email: text,
        config: text,
        state: text,
        environment: text,
        watch: yes,
        again: yes,
        'dry-run': yes,
        'no-open': yes,
        help: { ...yes, short: 'h' },
        version: { ...yes, short: 'v' },
      },
    })
  } catch (cause) {
    const problem =
      typeof cause === 'object' && cause !== null && 'message' in cause
        ? String(cause.message)
        : 'The options cannot be read'
    throw new Stop(`${problem.split('. ')[0]}. Run dmp-uploader --help to see what there is.`)
  }
}

export const toStateFolder = (state: string | undefined): string =>
  path.resolve(state ?? path.join(homedir(), '.dmp-uploader'))

function findWord(args: readonly string[], name: string): string | undefined {
  const place = args.indexOf(name)
  const joined = args.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1)
  return joined ?? (place < 0 ? undefined : args[place + 1])
}

/** For who starts the program, before anything is judged. */
export const stateFolderOf = (args: readonly string[]): string => toStateFolder(findWord(args, '--state'))

/**
 * The environment with what a service is given by a file: Node takes proxy and authorities as it starts, so it is for
 * whoever starts the program. A file that cannot be read adds nothing.
 */
export function environmentOf(args: readonly string[], environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const file = findWord(args, '--environment')
  if (file === undefined) return environment
  try {
    return { ...environment, ...(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) }
  } catch {
    process.stderr.write(`${file} cannot be read: the service goes on without it.\n`)
    return environment
  }
}

/** Whether it runs until it is stopped. What a settings file alone makes watch updates with the next start. */
export const isLongRun = (args: readonly string[]): boolean =>
  !args.some((word) => /^(?:-h|-v|--help|--version|--dry-run|--connect.*|--disconnect)$/.test(word)) &&
  (args.includes('--watch') || args.find((word) => !word.startsWith('-')) === 'window')
