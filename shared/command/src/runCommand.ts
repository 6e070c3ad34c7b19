import { userInfo } from 'node:os'
import { parseArgs } from 'node:util'
import { build } from '@dmp/build/build'
import { listParts, workspace, type Part } from '@dmp/build/workspace'
import { release, exitCodes } from '@dmp/release/cli'
import { readSecretVariable, readSigner, toBucketAccess } from '@dmp/release'
import { trimToUndefined } from '@dmp/release/secretVariable'
import { checkPart } from './checkPart.ts'
import { judgedElsewhere } from './judgedElsewhere.ts'
import { serveRemoteSources } from './serveRemoteSources.ts'

const help = `dmp dev --host <address>     the sources of this remote in a deployment's pages, in a browser that agrees
dmp build                    makes dist/, what a release is made of
dmp check                    types, declaration, tests and build, without a browser
dmp release <command> …      publishes, tries and moves releases: dmp release --help

A repository with several remotes names one after the command: dmp check remote-report

  --host <address>   with dev: the deployment, such as https://dmp.example
  --to <address>     with check: compares the calls that the part makes with what that deployment answers;
                     without it DMP_RELEASE_TO
  --port <number>    with dev: where to listen; a free port without it
  --json             with check: one line of JSON
  --help             this text

Exit codes: 0 done · 1 failed, the output says where · 2 not understood; dmp release has more: dmp release --help`

const options = {
  host: { type: 'string' },
  port: { type: 'string' },
  to: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

/** A command line that could not be understood; nothing was done. */
class NotUnderstood extends Error {}

/**
 * Runs `dmp <command>` in the repository of a team, and returns the exit code.
 *
 * @param args the words after `dmp`
 */
export async function runCommand(args: readonly string[]): Promise<number> {
  const [command = '', ...rest] = args
  if (command === 'release') return runRelease(rest)
  try {
    return await runHere(args)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return error instanceof NotUnderstood ? exitCodes.notUnderstood : exitCodes.failed
  }
}

async function runHere(args: readonly string[]): Promise<number> {
  const { values, command, name } = parse(args)
  if (values.help || command === '' || command === 'help') {
    console.log(help)
    return values.help || command === 'help' ? exitCodes.done : exitCodes.notUnderstood
  }
  if (!['dev', 'build', 'check'].includes(command))
    throw new NotUnderstood(`There is no command ${command}.\n\n${help}`)
  const part = findPart(name)
  if (command === 'check')
    return (await checkPart(part, {
      isJson: values.json === true,
      to: values.to ?? trimToUndefined(process.env.DMP_RELEASE_TO),
    }))
      ? 0
      : exitCodes.failed
  if (command === 'dev') {
    if (values.host === undefined)
      throw new NotUnderstood('Name the deployment whose pages get the remote: dmp dev --host https://dmp.example')
    await serveRemoteSources({ part, host: values.host, port: Number(values.port ?? 0) })
    return exitCodes.done
  }
  const { built } = await build({ only: [part.name], log: (line) => console.log(line) })
  if (built.length === 0) console.log(`${part.name} is up to date.`)
  return exitCodes.done
}

function parse(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    const [command = '', name, ...more] = positionals
    if (more.length > 0) throw new Error(`Unexpected argument ${more[0]}.`)
    return { values, command, name }
  } catch (error) {
    throw new NotUnderstood(`${error instanceof Error ? error.message : String(error)}\n\n${help}`)
  }
}

/** The remote that is meant: the named one, or the only one. */
function findPart(name: string | undefined): Part {
  const parts = listParts().filter(({ kind }) => kind === 'remote')
  const part = name === undefined && parts.length === 1 ? parts[0] : parts.find((candidate) => candidate.name === name)
  if (part) return part
  throw new NotUnderstood(
    parts.length === 0
      ? `There is no remote in ${workspace}: none of its folders holds a remote.json beside a webpack.config.mjs.`
      : `Name one of the remotes here: ${parts.map((candidate) => candidate.name).join(', ')}.`,
  )
}

function runRelease(args: readonly string[]): Promise<number> {
  const parts = listParts().filter(({ kind }) => kind === 'remote')
  return release(args, {
    store: trimToUndefined(process.env.DMP_RELEASES),
    access: toBucketAccess(process.env),
    by: userInfo().username,
    preflight: judgedElsewhere,
    readSigner: () => readSigner(process.env),
    door: {
      to: trimToUndefined(process.env.DMP_RELEASE_TO),
      readToken: () => readSecretVariable(process.env, 'DMP_RELEASE_TOKEN'),
    },
    invocation: 'dmp release',
    ...(parts.length === 1 ? { part: parts[0]!.name } : {}),
  })
}
