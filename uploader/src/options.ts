import { parseArgs } from 'node:util'
import { Stop } from './stop.ts'

/** The command line. Passwords never stand there: every user of the machine can read it. */
export interface Options {
  readonly folders: readonly string[]
  readonly server: string | undefined
  readonly email: string | undefined
  readonly config: string | undefined
  readonly state: string | undefined
  /** The address of the server that is to give this machine an API token. */
  readonly connect: string | undefined
  readonly isDisconnect: boolean
  readonly isWatching: boolean | undefined
  readonly isDryRun: boolean
  readonly again: boolean
  readonly isHelp: boolean
  readonly isVersion: boolean
}

export const help = `Sends DICOM files to the Data Management Platform. Files that were sent before are not sent again.

  dmp-uploader --connect <address>
  dmp-uploader [options] [folder or file …]

  --connect <address>  connect this machine: shows a code, which an administrator enters in the browser; the API token
                       goes into the settings file, which only you can read then
  --disconnect         end that API token and forget it
  --server <address>   the product's address, such as https://dmp.clinic.example
  --email <email>      the service user (or another account that may upload)
  --watch              keep looking for new files until stopped
  --again              also send what was sent or refused before
  --dry-run            only report what would be sent
  --config <file>      settings; default: dmp-uploader.json in the current folder, else beside the program
  --state <folder>     where journal and log are kept; default: .dmp-uploader in the home folder
  --help, --version

A machine that is connected needs no account, nor does one with an API token that an administrator made under
Account > API tokens: set UPLOADER_API_TOKEN, or "apiToken" in the settings file. Otherwise the uploader asks for
the password, or takes it from UPLOADER_PASSWORD or from "password" in the settings file.
Settings file: {"server": "…", "email": "…", "password": "…", "apiToken": "…",
               "folders": ["…"], "watch": true, "atOnce": 4, "lookEverySeconds": 10}
Environment: UPLOADER_SERVER, UPLOADER_EMAIL, UPLOADER_PASSWORD, UPLOADER_API_TOKEN.

Exit codes: 0 everything is stored · 1 something was refused or could not be sent · 2 wrong usage · 3 not signed in
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
  return {
    folders: positionals,
    server: values.server ?? values.connect,
    email: values.email,
    config: values.config,
    state: values.state,
    connect: values.connect,
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
        server: text,
        email: text,
        config: text,
        state: text,
        watch: yes,
        again: yes,
        'dry-run': yes,
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
