const depthOf = (line: string): number => line.search(/\S/)

/** What has gone goes with all that is in it. */
function foldGone(changes: readonly string[]): string[] {
  let within: number | undefined
  return changes.flatMap((change, index) => {
    const depth = depthOf(change.slice(2))
    if (!change.startsWith('- ') || (within !== undefined && depth <= within)) within = undefined
    if (within !== undefined) return []
    const next = changes[index + 1]
    if (!change.startsWith('- ') || !next?.startsWith('- ') || depthOf(next.slice(2)) <= depth) return [change]
    within = depth
    return [`${change} …`]
  })
}

/** What has gone and what has come, each beside the other. */
export function compareLines(before: readonly string[], after: readonly string[]): string[] {
  let same = 0
  while (same < before.length && same < after.length && before[same] === after[same]) same += 1
  let end = 0
  while (end < before.length - same && end < after.length - same && before.at(-1 - end) === after.at(-1 - end)) end += 1
  return foldGone(compareAll(before.slice(same, before.length - end), after.slice(same, after.length - end)))
}

function compareAll(before: readonly string[], after: readonly string[]): string[] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1))
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1)
      lengths[i]![j] =
        before[i] === after[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!)
  const changes: string[] = []
  let [i, j] = [0, 0]
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      i += 1
      j += 1
    } else if (i < before.length && (j >= after.length || lengths[i + 1]![j]! >= lengths[i]![j + 1]!))
      changes.push(`- ${before[i++]}`)
    else changes.push(`+ ${after[j++]}`)
  }
  return changes
}

const isNotices = /^\s*region “Notifications”/
const clock = /\b\d+:\d\d\b/g

/** Notices come and go by themselves, and clocks go on. */
function withoutTime(lines: readonly string[]): string[] {
  let within: number | undefined
  return lines.flatMap((line) => {
    if (within !== undefined && depthOf(line) > within) return []
    within = isNotices.test(line) ? depthOf(line) : undefined
    return within === undefined ? [line.replaceAll(clock, '…:…')] : []
  })
}

interface Seen {
  readonly at: string
  readonly lines: readonly string[]
}

/** What another way to the same place has changed about it. */
export const sayDifference = (expected: Seen, { at, lines }: Seen): string[] => [
  ...(at === expected.at ? [] : [`is at ${at}`]),
  ...compareLines(withoutTime(expected.lines), withoutTime(lines)),
]
