// Runs in the viewer's page before the viewer, and belongs to no release: a viewer that does not start cannot tell of
// it. The names of kinds are those of docs/decisions/0042.
;(function (script) {
  const releaseId = script.dataset.release
  const ofViewer = '/releases/viewer/' + releaseId + '/'
  const patienceMs = 30000
  const said = {}
  let isDrawn = false

  function say(what, ms) {
    if (said[what] || !navigator.onLine || !navigator.sendBeacon) return
    said[what] = true
    const seen = { part: 'viewer', releaseId: releaseId, what: what }
    if (ms !== undefined) seen.ms = ms
    navigator.sendBeacon(
      script.dataset.report,
      new Blob([JSON.stringify({ seen: [seen] })], { type: 'application/json' }),
    )
  }

  const watch = new MutationObserver(function () {
    const root = document.getElementById('root')
    if (root === null || root.childElementCount === 0) return
    watch.disconnect()
    isDrawn = true
    clearTimeout(timer)
    say('loaded', Math.round(performance.now()))
  })
  watch.observe(document.documentElement, { childList: true, subtree: true })

  // A slow line is nobody's fault.
  const timer = setTimeout(function () {
    if (document.readyState !== 'loading') say('timeout')
  }, patienceMs)

  addEventListener(
    'error',
    function (event) {
      const source = event.target
      if (source && source.tagName === 'SCRIPT') {
        if (source.src.indexOf(ofViewer) >= 0) say(isDrawn ? 'chunk' : 'http')
      } else fail(event.error, event.filename)
    },
    true,
  )
  addEventListener('unhandledrejection', function (event) {
    fail(event.reason, '')
  })

  // What the viewer explains to the person has a kind; what was called off is nobody's mistake.
  function fail(error, file) {
    if (error && (error.kind || error.name === 'AbortError')) return
    if (String(file + ((error && error.stack) || '')).indexOf(ofViewer) >= 0) say(isDrawn ? 'error' : 'evaluation')
  }
})(document.currentScript)
