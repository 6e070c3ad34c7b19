import { listFiles, readText } from '../workspace/files.ts'

/**
 * Whoever waits ever longer before the next try listens for the line too: it may be back long before. Where somebody
 * else listens for them, that stands here.
 */
const listeners: Readonly<Record<string, readonly [file: string, words: string]>> = {
  'host/src/session/live/liveClient.ts': ['host/src/session/useDuties.ts', "addEventListener('online', client.retry)"],
  'viewer/src/loading/SliceLoader.ts': ['viewer/src/viewer.ts', "addEventListener('online', goOn)"],
}

const code = /^(?:host|viewer|remote-[a-z]+|shared\/kit)\/src\/(?!.*(?:\.test\.|InTests))(?!testing\/|.*\/testing\/)/
/** `2 * retryMs`, `#pauseMs * 2`, `firstMs * 2 ** attempts`: a pause that grows. */
const growing = /\b2 \* \w*(?:Ms|Delay)\b|(?:Ms|Delay) \* 2\b/

it('whoever waits ever longer for the line goes on as soon as it is back [P28]', () => {
  const waiting = listFiles('.', /\.tsx?$/).filter((file) => code.test(file) && growing.test(readText(file)))
  const deaf = waiting.filter((file) => {
    const [place, words] = listeners[file] ?? [file, "addEventListener('online', "]
    return !readText(place).includes(words)
  })
  expect(deaf).toEqual([])
  expect(waiting).toEqual(expect.arrayContaining(Object.keys(listeners)))
})
