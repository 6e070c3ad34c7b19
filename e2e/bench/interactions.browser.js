// Runs in both pages of `interactions.ts` before anything else: notes what one press leads to, and when.
;(function () {
  const felt = []
  const loaded = []
  let step = null

  new PerformanceObserver((list) => felt.push(...list.getEntries())).observe({ type: 'event', durationThreshold: 16 })
  new PerformanceObserver((list) => loaded.push(...list.getEntries())).observe({ type: 'resource' })
  const noteStart = (event) => {
    if (step && step.startedAt === undefined) step.startedAt = event.timeStamp
  }
  addEventListener('pointerdown', noteStart, true)
  addEventListener('keydown', noteStart, true)

  const isSeen = (element) => element.getClientRects().length > 0
  const listRows = () => Array.from(document.querySelectorAll('tr[data-key], tr[data-row-key]'))
  const looks = {
    rows: () => {
      // Of "51 to 100 of 812" the rest is there before the rows are.
      const total = document.querySelector('.dmp-page-count, .count')?.textContent.split(' of ').pop() || ''
      const keys = listRows().map(({ dataset }) => dataset.key || dataset.rowKey)
      return [total, ...keys].join()
    },
    selected: () => document.querySelectorAll('tr[data-selected], tr.ant-table-row-selected').length,
    menus: () => Array.from(document.querySelectorAll('[role="menu"]')).filter(isSeen).length,
  }
  const isBusy = () => document.querySelector('table[aria-busy="true"]') !== null

  // A frame in which it stands, and that was drawn: what comes after it is the next task.
  function look() {
    if (!step || step.isLooking || step.startedAt === undefined) return
    const mine = step
    mine.isLooking = true
    requestAnimationFrame(() => {
      mine.isLooking = false
      if (mine.reached || isBusy() || looks[mine.what]() === mine.before) return
      mine.reached = true
      const channel = new MessageChannel()
      channel.port1.onmessage = () => {
        performance.mark('bench-reached')
        mine.tell(performance.now())
      }
      channel.port2.postMessage('')
    })
  }
  addEventListener('DOMContentLoaded', () =>
    new MutationObserver(look).observe(document, {
      attributes: true,
      characterData: true,
      childList: true,
      subtree: true,
    }),
  )

  Object.defineProperty(window, 'bench', {
    value: {
      begin(what) {
        felt.length = 0
        loaded.length = 0
        step = { what, before: looks[what]() }
        step.reachedAt = new Promise((tell) => (step.tell = tell))
      },
      async end() {
        const { reachedAt } = step
        const doneAt = await reachedAt
        const { startedAt } = step
        step = null
        // The browser tells of an event some time after the frame that followed it.
        await new Promise((told) => setTimeout(told, 200))
        const list = loaded.filter(({ name }) => name.includes('/Scan/list'))
        const asked = list.map((entry) => entry.startTime)
        const answered = list.map((entry) => entry.responseEnd).filter((at) => at <= doneAt)
        return {
          nextPaintMs: Math.max(0, ...felt.filter((entry) => entry.interactionId > 0).map((entry) => entry.duration)),
          resultMs: doneAt - startedAt,
          askedMs: asked.length > 0 ? Math.min(...asked) - startedAt : 0,
          serverMs: answered.length > 0 ? Math.max(...answered) - Math.min(...asked) : 0,
        }
      },
    },
  })
})()
