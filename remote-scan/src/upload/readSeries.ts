import { parseSeries } from './parseSeries.ts'
import { uploadStore } from './uploadStore.ts'

const headsAtOnce = 50

let isReading = false

/** Finds out which series the files belong to, while the first files are sent already. */
export async function readSeries(): Promise<void> {
  if (isReading) return
  isReading = true
  const finishedHeads = new WeakSet<Blob>()
  for (;;) {
    const files = uploadStore
      .get()
      .files.filter(({ head, series }) => head && !series && !finishedHeads.has(head))
      .slice(0, headsAtOnce)
    if (files.length === 0) break
    const seriesByHead = new Map(
      await Promise.all(
        files.map(async ({ head }) => [head, head && (await parseSeries(head).catch(() => undefined))] as const),
      ),
    )
    for (const { head } of files) if (head) finishedHeads.add(head)
    uploadStore.set({
      files: uploadStore.get().files.map((file) => {
        const series = file.head && seriesByHead.get(file.head)
        return series ? { ...file, series } : file
      }),
    })
  }
  isReading = false
}
