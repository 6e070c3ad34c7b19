import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { makeFolderPrivate } from './core/privateFolder.ts'
import { runCommand } from './core/runCommand.ts'
import { StartFailure } from './core/StartFailure.ts'
import { patiently } from './db/patience.ts'
import { findSet } from './operator/backup/backupFolder.ts'
import { checkSet, type CheckedSet } from './operator/backup/checkSet.ts'
import { assertWhole, restoreObjects, restoreSet } from './operator/backup/restoreSet.ts'
import { formatProblems } from './operator/checkInstallation.ts'
import { hearOnTerminal } from './operator/hearOnTerminal.ts'
import { readSettings } from './settings/settings.ts'

const usage = `Gives back what npm run backup wrote: into an empty data folder, or an empty database and its store.

  npm run restore -- <folder> [--of 2026-11-26T20-10-11-123Z] [--check [--pace 50] [--json]] [--objects]
      --of       another backup than the newest
      --check    changes nothing: restores into a place of its own, which is gone afterwards, reads every byte, walks
                 the audit trail and opens scans
      --pace     reads at most so many megabytes per second
      --objects  bytes alone, for a database that was restored by other means
      Exit code 0: restored, or the backup is good. 2: the check found problems. 1: neither`

const megabyte = 2 ** 20

async function main(): Promise<void> {
  const { values, positionals } = parse()
  const [given] = positionals
  if (given === undefined || positionals.length > 1) throw new StartFailure(usage)
  const megabytesPerSecond = values.pace === undefined ? Infinity : Number(values.pace)
  if (!(megabytesPerSecond > 0)) throw new StartFailure('--pace is a number of megabytes per second, such as 50.')
  const folder = resolve(given)
  const { signal } = new AbortController()
  const set = await findSet(folder, values.of)
  await assertWhole(set)
  const settings = readSettings()
  if (values.check) {
    const checked = await checkSet(settings, folder, set, { bytesPerSecond: megabytesPerSecond * megabyte, signal })
    process.stdout.write(
      `${values.json ? JSON.stringify({ backup: set.name, ...checked }, null, 1) : format(set.name, checked)}\n`,
    )
    process.exitCode = isGood(checked) ? 0 : 2
    return
  }
  makeFolderPrivate(settings.dataDir)
  const say = hearOnTerminal()
  if (values.objects) say({ text: `Restored ${await restoreObjects(settings, folder, set, say, signal)} objects.` })
  else await restoreSet(settings, folder, set, say, signal)
}

/** Of scans some have no picture; if none has, nothing can be opened. */
const isGood = ({ problems, pictures }: CheckedSet): boolean =>
  problems.length === 0 && (pictures.asked === 0 || pictures.drawn > 0)

function format(name: string, checked: CheckedSet): string {
  const { asked, drawn } = checked.pictures
  return [
    isGood(checked) ? `Backup ${name} is good.` : `Backup ${name} has problems.`,
    `Of the ${asked} newest series, ${drawn} were opened and drawn.`,
    formatProblems(checked.problems),
  ].join('\n')
}

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        of: { type: 'string' },
        check: { type: 'boolean', default: false },
        pace: { type: 'string' },
        json: { type: 'boolean', default: false },
        objects: { type: 'boolean', default: false },
      },
    })
  } catch {
    throw new StartFailure(usage)
  }
}

await patiently(() => runCommand(main, (reason) => `Nothing was restored: ${reason}`))
