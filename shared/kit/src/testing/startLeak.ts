const starts = {
  interval() {
    const timer = setInterval(() => undefined, 1000)
    return () => clearInterval(timer)
  },
  listener() {
    const hear = () => undefined
    window.addEventListener('online', hear)
    return () => window.removeEventListener('online', hear)
  },
  channel() {
    const channel = new BroadcastChannel('leak')
    return () => channel.close()
  },
}

/** Starts something as product code does, and returns what ends it. */
export const startLeak = (kind: keyof typeof starts): (() => void) => starts[kind]()
