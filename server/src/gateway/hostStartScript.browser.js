// Runs in every host page before the host, and belongs to no release: when the host does not start, somebody has to say
// so. Sent with each page, so it is short; the oldest browsers that we can still tell something read it too.
;(function (script) {
  // The colours that somebody chose are there before the first drawing, as `themeChoice.ts` finds them.
  try {
    const theme = localStorage.getItem('preference:theme')
    const isDark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
    document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
  } catch {
    // Without storage nothing is known of the person.
  }
  function read(id) {
    return JSON.parse(document.getElementById(id).textContent)
  }
  const page = read('dmp-snapshot')
  const overrides = page.overrides || []
  // Also of an earlier release, where a file has its address from.
  const ofHost = /\/host\/[0-9a-f]{16}\//
  const hurriedMs = 2000
  const stylesMs = 5000
  const patienceMs = 30000
  let isSaid = false
  let box = null
  let what = 'timeout'
  let timer = setTimeout(give, patienceMs)

  function isDrawn() {
    const root = document.getElementById('root')
    // Markup that stands before the code is none of its doing.
    return root !== null && root.childElementCount > 0 && root.dataset.drawn === undefined
  }

  // Which script failed, or whose error it was. A remote's are the host's to tell.
  function failed(event) {
    const source = event.target
    if (source && source.tagName === 'SCRIPT') {
      if (!source.defer || !ofHost.test(source.src) || what === 'http') return
      what = 'http'
      clearTimeout(timer)
      // Mostly a line that broke off for a moment: somebody walked into another network, or a server ended. The page
      // loads itself again before it says or reports anything, but not one that was loaded again already.
      if (navigator.onLine && performance.getEntriesByType('navigation')[0].type !== 'reload')
        timer = setTimeout(function () {
          location.reload()
        }, 1000)
      else give()
    } else if (ofHost.test(String(event.filename || (event.reason && event.reason.stack))) && what === 'timeout') {
      // Not every error keeps it from starting.
      what = 'evaluation'
      clearTimeout(timer)
      timer = setTimeout(give, hurriedMs)
    }
  }

  function give() {
    if (isDrawn() || box) return
    if (!document.body) return document.addEventListener('DOMContentLoaded', give)
    report()
    show()
  }

  // Scripts wait for the styles that stand before them. Those that hang are asked for again, under an address that
  // joins no request, by a link that nothing waits for.
  const stylesTimer = setTimeout(function () {
    document.querySelectorAll('link[rel="stylesheet"]').forEach(function (link) {
      if (link.sheet) return
      const again = link.cloneNode()
      again.dataset.href = link.href
      again.media = 'all'
      again.href =
        '/releases/again/' +
        link.href
          .split('/releases/')
          .pop()
          .replace(/^again\//, '')
      link.replaceWith(again)
    })
  }, stylesMs)

  // As the host's own sightings: not for pages that somebody put something into, nor without a network. A slow line is
  // nobody's fault.
  function report() {
    const isTold = what === 'evaluation' && document.getElementById('root').dataset.watched !== undefined
    const isSlow = what === 'timeout' && document.readyState === 'loading'
    if (isSaid || isTold || isSlow || overrides.length > 0 || !navigator.onLine || !navigator.sendBeacon) return
    isSaid = true
    navigator.sendBeacon(
      script.dataset.report,
      new Blob([JSON.stringify({ seen: [{ part: 'host', releaseId: page.host, what: what }] })], {
        type: 'application/json',
      }),
    )
  }

  function add(parent, tag, text) {
    const element = document.createElement(tag)
    element.textContent = text || ''
    parent.appendChild(element)
    return element
  }

  function show() {
    // Nothing answers there.
    const root = document.getElementById('root')
    root.replaceChildren()
    delete root.dataset.drawn
    box = document.createElement('main')
    const said = add(box, 'div')
    said.setAttribute('role', 'alert')
    Object.assign(box.style, {
      margin: '15vh auto',
      maxWidth: '520px',
      padding: '0 16px',
      font: '16px/1.5 system-ui, sans-serif',
      overflowWrap: 'anywhere',
    })
    Object.assign(add(said, 'h1', 'The application did not start').style, { fontSize: '24px' })
    // Asks the same address again; the server takes all overrides out where the field is there.
    const form = document.createElement('form')
    form.action = location.pathname
    if (overrides.length > 0) {
      const names = overrides.map(function (one) {
        return one.part + ' ' + (one.address || one.version || one.releaseId)
      })
      add(
        said,
        'p',
        'Only in this browser, something else takes the place of what is live: ' +
          names.join(', ') +
          '. Turn that off to get what is live again.',
      )
      Object.assign(add(form, 'input'), { type: 'hidden', name: 'dmp-override', value: 'off' })
    } else add(said, 'p', 'Please load the page again in a moment. Nothing that was saved is lost.')
    const button = add(form, 'button', overrides.length > 0 ? 'Turn the override off' : 'Load the page again')
    Object.assign(button.style, { font: 'inherit', padding: '8px 16px', minHeight: '44px', cursor: 'pointer' })
    box.appendChild(form)
    document.body.appendChild(box)
    button.focus()
  }

  // It may start after all.
  const watch = new MutationObserver(function () {
    if (!isDrawn()) return
    end()
    if (box) box.remove()
  })
  function end() {
    watch.disconnect()
    clearTimeout(stylesTimer)
    clearTimeout(timer)
    removeEventListener('error', failed, true)
    removeEventListener('unhandledrejection', failed)
    removeEventListener('pagehide', end)
  }
  watch.observe(document.documentElement, { attributeFilter: ['data-drawn'], childList: true, subtree: true })
  addEventListener('error', failed, true)
  addEventListener('unhandledrejection', failed)
  // Who leaves breaks scripts off.
  addEventListener('pagehide', end)
})(document.currentScript)
