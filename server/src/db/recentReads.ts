import { LRUCache } from 'lru-cache'
import type { Bus, News } from './bus.ts'

/** An image viewer asks for the slices of one series within seconds; nothing is remembered for longer. */
const rememberedMs = 5000
const maxEntries = 10_000
const maxBytes = 16 * 2 ** 20

/**
 * After which news a row may say what holds no more. News that people cause by the way, such as marking an entry of the
 * inbox as read, must not make everybody else read anew.
 */
const outdates: Readonly<Record<News['kind'], boolean>> = {
  sessionsEnded: true,
  viewersChanged: true,
  apiTokensEnded: true,
  scansChanged: true,
  // Links are looked up at each request.
  sharesChanged: false,
  exportsEnded: false,
  importsEnded: false,
  uploadWanted: false,
  passedOn: false,
  changesRecorded: false,
  webhooksDue: false,
  inboxChanged: false,
  dicomPartnersChanged: false,
  jobsWaiting: false,
  missed: true,
}

/**
 * Rows that are asked for again and again within seconds, such as the organization and the instance behind each frame
 * of a series: read once (P18). Any news of sessions, people, organizations or deleted scans empties it, so that
 * nobody gets what was taken back; what a person may do is never remembered here.
 */
export class RecentReads {
  readonly #bus: Pick<Bus, 'hears'>
  readonly #rows = new LRUCache<string, object>({
    max: maxEntries,
    maxSize: maxBytes,
    maxEntrySize: maxBytes / 4,
    ttl: rememberedMs,
    sizeCalculation: (row) => Math.max(1, (row as { header?: Uint8Array }).header?.byteLength ?? 1),
  })
  readonly #underWay = new Map<string, Promise<object>>()
  /** Counts the news, so that an answer that was on its way when they came is not remembered. */
  #era = 0

  constructor(bus: Bus) {
    this.#bus = bus
    bus.subscribe((news) => {
      // Of a kind that only a newer server knows: it may end something.
      if (Object.hasOwn(outdates, news.kind) && !outdates[news.kind]) return
      this.#era += 1
      this.#rows.clear()
      this.#underWay.clear()
    })
  }

  /** The row, remembered or read; what `read` throws is not remembered. */
  async find<T extends object>(key: string, read: () => Promise<T>): Promise<T> {
    if (!this.#bus.hears) return read()
    const known = this.#rows.get(key) ?? this.#underWay.get(key)
    if (known) return known as T | Promise<T>
    const startEra = this.#era
    const reading = read()
    this.#underWay.set(key, reading)
    try {
      const row = await reading
      if (this.#era === startEra) this.#rows.set(key, row)
      return row
    } finally {
      if (this.#underWay.get(key) === reading) this.#underWay.delete(key)
    }
  }

  forget(key: string): void {
    this.#rows.delete(key)
    this.#underWay.delete(key)
  }
}
