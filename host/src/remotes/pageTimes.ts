import { toApiAddress } from '@dmp/contract/apiAddress'
import { longestTime, mostTimes, reportTimes, type PageTime, type PageTimeKind } from '@dmp/contract/releaseFigures'
import { contentMark, settings } from '@dmp/kit'
import { overrides } from './activeOverrides.ts'
import { drawnMark, partMark } from './pageMarks.ts'
import { snapshot } from './snapshot.ts'

const batchMs = 2000
const hourMs = 3_600_000
/** Of what came before the page's last steps nothing is asked any more. */
const mostStays = 50
/** Interactions that are remembered of a part: one in fifty may be an accident of the computer. */
const mostSlow = 10
/** A shift belongs to the one before it within this time, and all of a burst within `burstMs`. */
const gapMs = 1000
const burstMs = 5000

/** The page is a part's from then on. */
interface Stay {
  readonly part: string
  readonly releaseId: string
  readonly from: number
}

interface Feel {
  readonly releaseId: string
  /** The longest answers to clicks and keys, the slowest first. */
  slow: { readonly id: number; readonly ms: number }[]
  interactions: number
  burst: { from: number; to: number; sum: number }
  /** The most that a burst moved. */
  shift: number
}

/** Entries whose kinds the library of the language does not know yet. */
interface ShiftEntry extends PerformanceEntry {
  readonly value: number
  readonly hadRecentInput: boolean
}

/**
 * Tells the server how people fare with each part of the page, each figure once: when its screens and its first data
 * stood, how slow the page answered, and how far it moved under their eyes. Nobody is named, and no address.
 */
export function observeTimes(): void {
  // A page with overrides says nothing about the releases that others get.
  if (overrides().length > 0 || typeof PerformanceObserver !== 'function') return
  const watch = new PageWatch()
  observe('mark', (entry) => watch.addMark(entry))
  observe('event', (entry) => watch.addInteraction(entry as PerformanceEventTiming))
  observe('layout-shift', (entry) => watch.addShift(entry as ShiftEntry))
  const leave = (): void => watch.tellFeel()
  window.addEventListener('pagehide', leave)
  document.addEventListener('visibilitychange', () => {
    watch.noteHidden()
    if (document.visibilityState === 'hidden') leave()
  })
  setInterval(() => watch.tellOpen(), hourMs)
}

/** Includes what happened before; browsers that do not know the kind tell nothing of it. */
function observe(type: string, take: (entry: PerformanceEntry) => void): void {
  if (!PerformanceObserver.supportedEntryTypes?.includes(type)) return
  new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({
    type,
    buffered: true,
    ...(type === 'event' ? { durationThreshold: 16 } : {}),
  })
}

class PageWatch {
  #stays: Stay[] = [{ part: 'host', releaseId: snapshot().host, from: 0 }]
  readonly #feels = new Map<string, Feel>()
  readonly #told = new Set<string>()
  #isFirst = true
  #hiddenAt = document.visibilityState === 'hidden' ? 0 : -1
  #unsent: PageTime[] = []
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor() {
    this.#tell(this.#now, 'open', 0)
  }

  noteHidden(): void {
    this.#hiddenAt = performance.now()
  }

  addMark({ name, startTime }: PerformanceEntry): void {
    const [kind, part = '', releaseId = ''] = name.split(' ')
    if (kind !== partMark && kind !== drawnMark && kind !== contentMark) return
    performance.clearMarks(name)
    if (kind === partMark) return this.#enter(part, releaseId, startTime)
    const stay = this.#now
    if (kind === contentMark || part === stay.part) {
      // Nobody waits in front of a page that is not in sight, and what begins there is slowed down.
      if (this.#hiddenAt < stay.from)
        this.#tell(stay, kind === contentMark ? 'firstRow' : 'start', startTime - stay.from)
      this.#isFirst = false
    }
  }

  #enter(part: string, releaseId: string, at: number): void {
    // What a visit begins with is waited for since the address was entered.
    this.#stays = [...this.#stays, { part, releaseId, from: this.#isFirst ? 0 : at }].slice(-mostStays)
    this.#isFirst = false
    this.#tell(this.#now, 'open', 0)
  }

  get #now(): Stay {
    return this.#stays.at(-1)!
  }

  #feelAt(time: number): Feel {
    const { part, releaseId } = this.#stays.findLast(({ from }) => from <= time) ?? this.#now
    const known = this.#feels.get(part)
    if (known) return known
    const feel = { releaseId, slow: [], interactions: 0, burst: { from: 0, to: 0, sum: 0 }, shift: 0 }
    this.#feels.set(part, feel)
    return feel
  }

  addInteraction({ startTime, duration, interactionId: id }: PerformanceEventTiming): void {
    if (id === undefined || id === 0) return
    const feel = this.#feelAt(startTime)
    const known = feel.slow.find((one) => one.id === id)
    if (known === undefined) feel.interactions += 1
    const others = feel.slow.filter((one) => one !== known)
    feel.slow = [...others, { id, ms: Math.max(duration, known?.ms ?? 0) }]
      .sort((a, b) => b.ms - a.ms)
      .slice(0, mostSlow)
  }

  addShift({ startTime, value, hadRecentInput }: ShiftEntry): void {
    if (hadRecentInput) return
    const feel = this.#feelAt(startTime)
    const { from, to, sum } = feel.burst
    const goesOn = sum > 0 && startTime - to < gapMs && startTime - from < burstMs
    feel.burst = goesOn ? { from, to: startTime, sum: sum + value } : { from: startTime, to: startTime, sum: value }
    feel.shift = Math.max(feel.shift, feel.burst.sum)
  }

  /** Whoever puts the page aside has felt how it is. */
  tellFeel(): void {
    const canShift = PerformanceObserver.supportedEntryTypes?.includes('layout-shift') === true
    // A part on which nothing moved is worth knowing, too.
    if (canShift) for (const { from } of this.#stays) this.#feelAt(from)
    for (const [part, { releaseId, slow, interactions, shift }] of this.#feels) {
      const inp = slow[Math.min(slow.length - 1, Math.floor(interactions / 50))]
      if (inp) this.#tell({ part, releaseId }, 'inp', inp.ms)
      if (canShift) this.#tell({ part, releaseId }, 'cls', shift * 1000)
    }
    this.#send()
  }

  /** Of every part that this page has had: its code stays until the page goes. */
  tellOpen(): void {
    const parts = new Map(this.#stays.map((stay) => [stay.part, stay]))
    for (const { part, releaseId } of parts.values()) this.#add({ part, releaseId, what: 'open', value: 0 })
  }

  #tell({ part, releaseId }: Pick<Stay, 'part' | 'releaseId'>, what: PageTimeKind | 'open', value: number): void {
    const key = `${part} ${what}`
    if (releaseId === '' || value > longestTime || this.#told.has(key)) return
    this.#told.add(key)
    this.#add({ part, releaseId, what, value: Math.max(0, Math.round(value)) })
  }

  #add(time: PageTime): void {
    this.#unsent.push(time)
    this.#timer ??= setTimeout(() => this.#send(), batchMs)
  }

  #send(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (typeof navigator.sendBeacon !== 'function') return
    const address = new URL(toApiAddress(settings(), reportTimes.definition.path), document.baseURI)
    while (this.#unsent.length > 0) {
      const body = JSON.stringify({ times: this.#unsent.splice(0, mostTimes) })
      navigator.sendBeacon(address, new Blob([body], { type: 'application/json' }))
    }
  }
}
