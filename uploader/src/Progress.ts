import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Why } from './answer.ts'
import type { Found } from './dicomFile.ts'
import { Failures, type Failure, type FailureGroup } from './Failures.ts'
import type { Settled } from './journal.ts'
import { ownCodes } from './ownCodes.ts'
import type { SeriesRows } from './SeriesRows.ts'

const rateMs = 60_000
const isGone: Why = {
  reason: 'This folder is not there (drive or share?). It is looked for again and again.',
  code: ownCodes.gone,
}
const isUnreadable: Why = {
  reason: 'It cannot be read. Check its permissions, or close the program that is writing it.',
  code: ownCodes.unreadable,
}

/** What waits, what was sent since the uploader started, what was refused and still lies there, and what failed. */
export class Progress {
  /** Files that wait, as far as the look through the folders has come. */
  waiting = 0
  /** The look through the folders is not at its end: there may be more. */
  isCounting = false
  /** Where somebody looks: the same by series. */
  series: SeriesRows | undefined
  /** Nothing waited when the folders were looked through last, and nothing was found since. */
  isQuiet = false
  /** How long the last look took. */
  lookMs = 0
  /** Dropped files that are still copied. */
  copying = 0
  readonly #counts: Record<Settled, number> = { stored: 0, duplicate: 0, refused: 0, 'not-dicom': 0 }
  #foundBytes = 0
  /** Under way: how many bytes of each the server has. */
  readonly #arrived = new Map<string, number>()
  readonly #failures = new Failures()
  /** Counted, and not found yet. */
  readonly #dropped = new Set<string>()
  /** Where what was refused lies. */
  readonly #refused = new Set<string>()
  /** Of those, seen in this look. */
  readonly #seen = new Set<string>()
  /** Places that were passed over in the last look, and in this one. */
  #missedBefore: ReadonlySet<string> = new Set()
  #missed = new Set<string>()
  #gone = new Set<string>()
  #lookedAt = 0
  /** By the clock of the time that was spent sending. */
  readonly #recent: { readonly at: number; readonly bytes: number }[] = []
  #spentMs = 0
  /** Since when something is under way. */
  #sendingSince: number | undefined
  /** Settled since the queue was empty last. */
  #doneBytes = 0
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** A new look through the folders. */
  begin(): void {
    this.#lookedAt = this.#now()
    this.waiting = 0
    this.#foundBytes = 0
    this.isCounting = true
    this.#dropped.clear()
    this.#seen.clear()
    this.#missedBefore = this.#missed
    this.#missed = new Set()
    this.series?.begin()
  }

  /** The look is at its end. Returns the places that were gone and are there again. */
  counted(): string[] {
    const back = [...this.#gone].filter((place) => !this.#missed.has(place))
    for (const place of back) this.#gone.delete(place)
    for (const place of this.#missedBefore) if (!this.#missed.has(place)) this.#failures.remove(place)
    this.isCounting = false
    this.lookMs = this.#now() - this.#lookedAt
    for (const place of this.#refused)
      if (!this.#seen.has(place) && !this.#isBelowGone(place) && !existsSync(place)) {
        this.#refused.delete(place)
        this.#failures.remove(place)
        this.series?.forget(place)
      }
    this.isQuiet = this.waiting === 0
    return back
  }

  /** What lay in a folder that is gone for a while still lies there, as far as anybody knows. */
  #isBelowGone(place: string): boolean {
    return [...this.#gone].some((folder) => place.startsWith(path.join(folder, path.sep)))
  }

  found({ path, size }: Found): void {
    if (!this.#dropped.delete(path)) this.#wait(size)
  }

  /** What was dropped was copied, or why not: that is told until it is dropped again, or the list is cleared. */
  copied(name: string, why?: Why): void {
    if (why === undefined) this.#failures.remove(name)
    else this.#fail(name, why, true)
  }

  /** It waits at once, though the next look alone may find it. */
  dropped(path: string, bytes: number): void {
    this.#dropped.add(path)
    this.#wait(bytes)
  }

  /** These are sent from now on. */
  started(files: readonly Found[]): void {
    this.#sendingSince ??= this.#now()
    for (const { path } of files) this.#arrived.set(path, 0)
  }

  /** The server has so many bytes of a file; those of an earlier attempt say nothing of the speed. */
  arrived({ path, size }: Found, bytes: number, isEarlier = false): void {
    const all = Math.min(bytes, size)
    if (!isEarlier) this.#recent.push({ at: this.#spent, bytes: all - (this.#arrived.get(path) ?? 0) })
    this.#arrived.set(path, all)
  }

  /** `place` is where the file is now. */
  settled(file: Found, outcome: Settled, why?: Why, place = file.path): void {
    if (outcome === 'stored' || outcome === 'duplicate') this.arrived(file, file.size)
    this.#ended(file.path)
    this.#doneBytes += file.size
    this.waiting = Math.max(0, this.waiting - 1)
    this.#foundBytes = Math.max(0, this.#foundBytes - file.size)
    if (this.waiting === 0 && !this.isCounting) this.isQuiet = true
    this.#counts[outcome] += 1
    this.series?.settled(file, outcome, place)
    this.#failures.remove(file.path)
    this.#refused.delete(file.path)
    if (outcome !== 'refused') return
    this.#refused.add(place)
    this.#seen.add(place)
    this.#fail(place, why ?? { reason: '' }, true)
  }

  /** What was refused before this start and still lies here, the oldest first; each counts once. */
  refusedBefore(refusals: readonly Failure[]): void {
    for (const each of refusals) {
      this.#seen.add(each.path)
      if (this.#refused.has(each.path)) continue
      this.#refused.add(each.path)
      this.#failures.add(each)
    }
  }

  /** Not sent in this look: it waits for the next one. */
  putOff(file: Found, why: Why): void {
    this.#ended(file.path)
    this.series?.putOff(file)
    this.#fail(file.path, why, false)
  }

  /** Passed over in this look. Returns whether it is gone since this look. */
  missed(place: string, isGoneNow: boolean): boolean {
    this.#missed.add(place)
    this.#fail(place, isGoneNow ? isGone : isUnreadable, false)
    const isNews = isGoneNow && !this.#gone.has(place)
    if (isGoneNow) this.#gone.add(place)
    return isNews
  }

  unreadable(place: string): void {
    this.#fail(place, isUnreadable, false)
  }

  /** Nobody is let in: that is said once, and not of each file. */
  forgetLater(code: string): void {
    this.#failures.forget((failure) => failure.code === code && !failure.isFinal)
  }

  /** Whatever failed is tried again with the next look; what was refused stays on the list until somebody clears it. */
  clearFailures(): void {
    this.#failures.clear()
  }

  /** By cause and, of what was refused, by study; the newest first. */
  get failures(): readonly FailureGroup[] {
    return this.#failures.group((place) => this.series?.find(place))
  }

  get failed(): number {
    return this.#failures.later
  }

  get counts(): Readonly<Record<Settled, number>> {
    return { ...this.#counts, refused: this.#refused.size }
  }

  get isSending(): boolean {
    return this.#arrived.size > 0
  }

  /** How much is at the server already of what waited since the queue was empty last, by bytes, from 0 to 1. */
  get arrivedShare(): number {
    const all = this.#doneBytes + this.#foundBytes
    return all === 0 ? 0 : 1 - this.waitingBytes / all
  }

  get waitingBytes(): number {
    return Math.max(0, this.#foundBytes - [...this.#arrived.values()].reduce((sum, bytes) => sum + bytes, 0))
  }

  get bytesPerSecond(): number {
    const spent = this.#spent
    while (this.#recent[0] !== undefined && spent - this.#recent[0].at > rateMs) this.#recent.shift()
    const bytes = this.#recent.reduce((sum, each) => sum + each.bytes, 0)
    return Math.round(bytes / Math.max(1, Math.min(rateMs, spent) / 1000))
  }

  /** Undefined where it cannot be told: nothing was sent of late. */
  get minutesLeft(): number | undefined {
    if (this.waiting === 0) return 0
    const rate = this.bytesPerSecond
    return rate === 0 ? undefined : Math.ceil(this.waitingBytes / rate / 60)
  }

  /** How long something was under way, without pauses and waits. */
  get #spent(): number {
    return this.#spentMs + (this.#sendingSince === undefined ? 0 : this.#now() - this.#sendingSince)
  }

  #ended(path: string): void {
    this.#arrived.delete(path)
    if (this.#arrived.size > 0) return
    this.#spentMs = this.#spent
    this.#sendingSince = undefined
  }

  #wait(bytes: number): void {
    if (this.isQuiet) this.#doneBytes = 0
    this.isQuiet = false
    this.waiting += 1
    this.#foundBytes += bytes
  }

  #fail(path: string, { reason, code }: Why, isFinal: boolean): void {
    const at = new Date(this.#now()).toISOString()
    this.#failures.add({ path, reason, ...(code !== undefined && { code }), isFinal, at })
  }
}
