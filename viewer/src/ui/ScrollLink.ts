import { placesOf, sliceAt, wayOf, type Places } from '../study/places.ts'
import type { Series } from '../study/series.ts'
import type { Pane } from './Pane.ts'

interface Seen {
  readonly series: Series | undefined
  readonly index: number
}

/** How the depths of a pane follow from those of another: its way times theirs, and so much more, in mm. */
interface Anchor {
  readonly places: Places
  readonly way: 1 | -1
  readonly offset: number
}

/**
 * Panes of one orientation scroll together, by as many millimetres. In one frame of reference they show the same place;
 * studies of different days have none in common, and keep the distance at which somebody put them side by side.
 */
export class ScrollLink {
  isOn = false
  readonly #panes: () => readonly Pane[]
  readonly #seen = new WeakMap<Pane, Seen>()
  #anchors: ReadonlyMap<Pane, Anchor> | undefined
  #isFollowing = false

  constructor(panes: () => readonly Pane[]) {
    this.#panes = panes
  }

  toggle(): void {
    this.isOn = !this.isOn
    this.#anchors = undefined
  }

  /** Whether another pane could scroll with this one. */
  isPossible(pane: Pane): boolean {
    return this.#anchor(pane, pane.picture.index).size > 1
  }

  /** Is told of whatever changes in a pane, and moves the others if its slice did. */
  follow(pane: Pane): void {
    const before = this.#seen.get(pane)
    const now = { series: pane.series, index: pane.picture.index }
    if (before?.series === now.series && before?.index === now.index) return
    this.#seen.set(pane, now)
    if (before?.series !== now.series) this.#anchors = undefined
    else if (this.isOn && !this.#isFollowing) this.#move(pane, before?.index ?? now.index)
  }

  #move(moved: Pane, from: number): void {
    this.#anchors ??= this.#anchor(moved, from)
    const own = this.#anchors.get(moved)
    const depth = own?.places.depths[moved.picture.index]
    if (own === undefined || depth === undefined) return
    const common = own.way * (depth - own.offset)
    this.#isFollowing = true
    for (const pane of this.#panes()) {
      const anchor = pane === moved ? undefined : this.#anchors.get(pane)
      if (anchor) pane.picture.goTo(sliceAt(anchor.places, anchor.way * common + anchor.offset))
    }
    this.#isFollowing = false
  }

  /** The panes that scroll with this one, itself among them, as they stand when it shows a slice. */
  #anchor(pane: Pane, index: number): Map<Pane, Anchor> {
    const places = pane.series && placesOf(pane.series)
    const depth = places?.depths[index]
    if (places === undefined || depth === undefined) return new Map()
    return new Map(
      this.#panes().flatMap((other): [Pane, Anchor][] => {
        if (other === pane) return [[other, { places, way: 1, offset: 0 }]]
        const others = other.series && placesOf(other.series)
        const way = others && wayOf(places, others)
        if (others === undefined || way === undefined) return []
        const isOneFrame = places.frameOfReference !== undefined && places.frameOfReference === others.frameOfReference
        const offset = isOneFrame ? 0 : (others.depths[other.picture.index] ?? 0) - way * depth
        return [[other, { places: others, way, offset }]]
      }),
    )
  }
}
