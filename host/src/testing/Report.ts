import type { PageError } from '@dmp/contract/releaseErrors'
import type { PageTime } from '@dmp/contract/releaseFigures'
import type { Observation } from '@dmp/contract/releaseReport'

/** Collects the beacons with which the page reports on releases; jsdom has none. */
export class Report {
  #bodies: Blob[] = []
  #errors: Blob[] = []
  #times: Blob[] = []
  text = ''

  begin(): void {
    this.#bodies = []
    this.#errors = []
    this.#times = []
    this.text = ''
    Object.defineProperty(navigator, 'sendBeacon', {
      configurable: true,
      value: (url: URL | string, body: Blob) => this.#blobsOf(String(url)).push(body) > 0,
    })
  }

  #blobsOf(url: string): Blob[] {
    if (url.endsWith('/Release/report')) return this.#bodies
    return url.endsWith('/Release/reportTimes') ? this.#times : this.#errors
  }

  /** Returns every time so far. */
  async times(): Promise<PageTime[]> {
    const texts = await Promise.all(this.#times.map(readText))
    return texts.flatMap((text) => (JSON.parse(text) as { times: PageTime[] }).times)
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

  /** Returns the text of each report of an error's place so far. */
  async places(): Promise<{ readonly text: string; readonly errors: readonly PageError[] }> {
    const texts = await Promise.all(this.#errors.map(readText))
    return {
      text: texts.join('\n'),
      errors: texts.flatMap((text) => (JSON.parse(text) as { errors: PageError[] }).errors),
    }
  }
}

export function readText(blob: Blob): Promise<string> {
  return new Promise((resolve) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result)))
    reader.readAsText(blob)
  })
}
