/** Names of labels; what each may hold is a closed list. None ever holds an id, a name or what somebody typed. */
export type Label = 'method' | 'route' | 'status' | 'kind' | 'state' | 'quantile'
type Labels = Readonly<Partial<Record<Label, string>>>

export interface Sample {
  readonly labels?: Labels
  readonly value: number
}
type Read = () => readonly Sample[] | number | Promise<readonly Sample[] | number>

interface Metric {
  readonly name: string
  readonly about: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  write(): Promise<readonly string[]>
}

/** What Prometheus is told, in its text format. */
export class Metrics {
  readonly #all: Metric[] = []

  /** What only grows; the function that is returned adds to it. */
  counter(name: string, about: string): (labels: Labels, by?: number) => void {
    const values = new Map<string, number>()
    this.#add(name, about, 'counter', async () => [...values].map(([labels, value]) => `${name}${labels} ${value}`))
    return (labels, by = 1) => {
      const key = format(labels)
      values.set(key, (values.get(key) ?? 0) + by)
    }
  }

  /** How often something took how long; the function that is returned adds one more. */
  histogram(name: string, about: string, bounds: readonly number[]): (labels: Labels, value: number) => void {
    const all = new Map<string, { labels: Labels; counts: number[]; sum: number }>()
    this.#add(name, about, 'histogram', async () =>
      [...all.values()].flatMap(({ labels, counts, sum }) => {
        const upTo = bounds.map((_, at) => counts.slice(0, at + 1).reduce((total, count) => total + count, 0))
        const count = counts.reduce((total, each) => total + each, 0)
        return [
          ...bounds.map((bound, at) => `${name}_bucket${format(labels, `le="${bound}"`)} ${upTo[at]}`),
          `${name}_bucket${format(labels, 'le="+Inf"')} ${count}`,
          `${name}_sum${format(labels)} ${sum}`,
          `${name}_count${format(labels)} ${count}`,
        ]
      }),
    )
    return (labels, value) => {
      const key = format(labels)
      const entry = all.get(key) ?? { labels, counts: Array.from({ length: bounds.length + 1 }, () => 0), sum: 0 }
      all.set(key, entry)
      const at = bounds.findIndex((bound) => value <= bound)
      const bucket = at < 0 ? bounds.length : at
      entry.counts[bucket] = (entry.counts[bucket] ?? 0) + 1
      entry.sum += value
    }
  }

  /** What is so at the moment when somebody asks; left out where it cannot be read. */
  gauge(name: string, about: string, read: Read, type: 'gauge' | 'counter' = 'gauge'): void {
    this.#add(name, about, type, async () => {
      const found = await Promise.resolve()
        .then(read)
        .catch(() => [])
      const samples = typeof found === 'number' ? [{ value: found }] : found
      return samples.map(({ labels = {}, value }) => `${name}${format(labels)} ${value}`)
    })
  }

  async text(): Promise<string> {
    const written = await Promise.all(
      this.#all.map(async ({ name, about, type, write }) => {
        const lines = await write()
        return [`# HELP ${name} ${about}`, `# TYPE ${name} ${type}`, ...lines]
      }),
    )
    return `${written.flat().join('\n')}\n`
  }

  #add(name: string, about: string, type: Metric['type'], write: Metric['write']): void {
    this.#all.push({ name, about, type, write })
  }
}

function format(labels: Labels, more?: string): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${value.replaceAll(/[\\"\n]/g, '')}"`)
  if (more !== undefined) parts.push(more)
  return parts.length === 0 ? '' : `{${parts.join(',')}}`
}
