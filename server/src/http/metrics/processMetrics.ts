import { constants, monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks'
import type { Metrics } from '../../core/metrics.ts'

const resolutionMs = 20
const quantiles = [0.5, 0.9, 0.99] as const
const garbageKinds: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'minor',
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'major',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'incremental',
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: 'weak',
}

/** As Node describes it; its types know no detail. */
interface Collection {
  readonly duration: number
  readonly detail: { readonly kind: number }
}

/** What the process takes; the function that is returned ends the measuring. */
export function measureProcess(metrics: Metrics): () => void {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs })
  delay.enable()
  metrics.gauge('dmp_event_loop_delay_seconds', 'How late the event loop was since the last scrape', () => {
    const samples = quantiles.map((quantile) => ({
      labels: { quantile: String(quantile) },
      // Node measures from one look to the next.
      value: Math.max(0, delay.percentile(quantile * 100) / 1e9 - resolutionMs / 1000),
    }))
    delay.reset()
    return samples
  })
  const collect = metrics.counter('dmp_garbage_seconds_total', 'Time of garbage collections, by kind')
  const observer = new PerformanceObserver((list) => {
    for (const { duration, detail } of list.getEntries() as unknown as readonly Collection[])
      collect({ kind: garbageKinds[detail.kind] ?? 'other' }, duration / 1000)
  })
  observer.observe({ entryTypes: ['gc'] })
  metrics.gauge('dmp_memory_bytes', 'Memory of the process, by kind', () => {
    const { rss, heapUsed, external } = process.memoryUsage()
    return Object.entries({ resident: rss, heap: heapUsed, external }).map(([kind, value]) => ({
      labels: { kind },
      value,
    }))
  })
  const cpuSeconds = (): number => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }
  metrics.gauge('dmp_cpu_seconds_total', 'Processor time of the process', cpuSeconds, 'counter')
  const started = Date.now() / 1000 - process.uptime()
  metrics.gauge('dmp_start_time_seconds', 'When the process started, in seconds since 1970', () => started)
  return () => {
    delay.disable()
    observer.disconnect()
  }
}
