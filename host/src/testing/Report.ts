import type { Observation } from '@dmp/contract/releaseReport'

/** Collects the beacons with which the page reports on releases; jsdom has none. */
export class Report {
  #bodies: Blob[] = []
  text = ''

  begin(): void {
    this.#bodies = []
    this.text = ''
    Object.defineProperty(navigator, 'sendBeacon', {
      configurable: true,
      value: (_url: URL, body: Blob) => this.#bodies.push(body) > 0,
    })
  }

  get count(): number {
    return this.#bodies.length
  }

  /** Returns every observation so far. */
  async sent(): Promise<Observation[]> {
    dispatchEvent(new Event('pagehide'))
    const texts = await Promise.all(this.#bodies.map(readText))
    this.text = texts.join('\n')
    return texts.flatMap((text) => (JSON.parse(text) as { seen: Observation[] }).seen)
  }
}

function readText(blob: Blob): Promise<string> {
  return new Promise((resolve) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result)))
    reader.readAsText(blob)
  })
}
