/** Two files are in one circle, or a file imports itself. */
export type IsInCircle = (from: string, to: string) => boolean

/** Tarjan's strongly connected components, without recursion: chains of imports are long. */
export function findCircles(edges: ReadonlyMap<string, readonly string[]>): IsInCircle {
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const circle = new Map<string, number>()
  const open: string[] = []
  const enter = (file: string): void => {
    order.set(file, order.size)
    low.set(file, order.get(file) ?? 0)
    open.push(file)
  }
  const lower = (file: string, to: number): void => void low.set(file, Math.min(low.get(file) ?? to, to))
  const close = (file: string): void => {
    if (low.get(file) !== order.get(file)) return
    const members = open.splice(open.indexOf(file))
    for (const member of members) circle.set(member, order.get(file) ?? 0)
  }
  for (const start of edges.keys()) {
    if (order.has(start)) continue
    const way = [{ file: start, next: 0 }]
    enter(start)
    for (let step = way.at(-1); step; step = way.at(-1)) {
      const to = edges.get(step.file)?.[step.next++]
      if (to === undefined) {
        way.pop()
        close(step.file)
        const above = way.at(-1)
        if (above) lower(above.file, low.get(step.file) ?? 0)
      } else if (!order.has(to)) {
        enter(to)
        way.push({ file: to, next: 0 })
      } else if (!circle.has(to)) lower(step.file, order.get(to) ?? 0)
    }
  }
  return (from, to) => circle.get(from) === circle.get(to)
}
