import { join } from 'node:path'
import { findChanges } from '../workspace/changedFiles.ts'
import { root } from '../workspace/files.ts'
import { runProcess } from '../workspace/runProcess.ts'
import { judgeEach, listSources, type KeptAnswers } from './keptAnswers.ts'

/** Its settings lie beside it: rules that need types are too slow for the lint of all files. */
const settings = 'scripts/checks/promises.json'

/**
 * Finds promises that nobody waits for, conditions on promises, and waits for what is none: an `await`, or the
 * `.execute()` of a query, that was left out. An ordinary run judges the files that differ from the last commit that
 * passed, a whole one all of them: a function that becomes asynchronous is found in its callers by CI.
 */
export function checkPromises(answers: KeptAnswers): Promise<string[]> {
  const changed = answers.isWhole ? undefined : findChanges(root)?.files
  const files = listSources().filter((file) => !file.endsWith('.json') && (changed?.includes(file) ?? true))
  return judgeEach(answers, 'promises', files, findLostPromises)
}

/** @param folder where the files, the settings and the linter are */
export async function findLostPromises(files: readonly string[], folder = root): Promise<string[]> {
  const { code, text } = await runProcess(
    join(root, 'node_modules/.bin/oxlint'),
    ['--type-aware', '-c', settings, '-f', 'unix', ...(files.length > 300 ? ['.'] : files)],
    // One run of the linter, on a machine with gigabytes: what it would collect it gives back at its end.
    { cwd: folder, isQuiet: true, env: { GOGC: 'off', FORCE_COLOR: '0' } },
  )
  if (code === 0) return []
  const problems = text.split('\n').filter((line) => /\[(?:Error|Warning)/.test(line))
  return problems.length > 0 ? problems : [text.trimEnd()]
}
