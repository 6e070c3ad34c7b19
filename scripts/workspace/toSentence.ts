const fullDisk =
  'The disk is full. Builds and data of this checkout need about 1 GB beside the packages; free some space and run the same command again, which continues where it stopped.'
/** Linux names it as it names a full disk. */
const allWatched =
  'Programs on this machine watch as many files as the system lets them. Close one of them (editors, other development servers), or allow more: sudo sysctl fs.inotify.max_user_watches=1048576 fs.inotify.max_user_instances=1024'

/** What an error says to whoever ran a command: of a full disk the cure, of everything else its own words. */
export function toSentence(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  if (message.includes('file watchers') || (message.includes('EMFILE') && message.includes('watch'))) return allWatched
  return /\b(?:ENOSPC|EDQUOT)\b/.test(message) ? fullDisk : message
}

/** What came of parts that could not be built, each with its own text; a full disk is said once for all of them. */
export function toBuildFailure(failures: readonly string[]): string {
  const sentences = [...new Set(failures.map(toSentence))]
  if (sentences.includes(fullDisk)) return fullDisk
  return [...sentences, 'The build failed; the lines above say where. Nothing of it was published.'].join('\n\n')
}
