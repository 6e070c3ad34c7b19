// Stands behind the markup of a public page that was drawn before its code comes, and shows it where it is what that
// code will draw. Until then it remembers what was pressed; what was typed stays in its field, and nowhere else.
;(function (script) {
  const template = document.getElementById('dmp-drawn')
  const root = document.getElementById('root')
  const html = document.documentElement
  const known = script.dataset.languages.split(' ')

  function findLanguage() {
    const chosen = localStorage.getItem('preference:language')
    if (known.includes(chosen)) return chosen
    return (
      navigator.languages
        .map(function (tag) {
          return tag.toLowerCase().split('-')[0]
        })
        .find(function (language) {
          return known.includes(language)
        }) || 'en'
    )
  }
  // Who is signed in gets another page; an override, its question and a restored draft change this one.
  function isOther() {
    return (
      location.search !== '' ||
      !navigator.onLine ||
      localStorage.getItem('user') !== null ||
      sessionStorage.getItem('dmp-override') !== null ||
      sessionStorage.getItem('dmp-preview') !== null ||
      Object.keys(sessionStorage).some(function (key) {
        return key.startsWith('draft:')
      }) ||
      findLanguage() !== script.dataset.language
    )
  }
  try {
    if (isOther()) return
  } catch {
    // Without storage nothing is known of the person.
    return
  }
  html.lang = script.dataset.language
  html.dir = script.dataset.direction
  // The empty path leads to the sign-in page.
  if (location.pathname === '/') history.replaceState(null, '', '/login')
  root.dataset.drawn = 'page'
  root.append(template.content)
  // Browsers give it the focus, some only to what came with the page.
  const first = root.querySelector('[autofocus]')
  requestAnimationFrame(function () {
    if (first && document.activeElement === document.body) first.focus()
  })

  function isWaiting(element) {
    const { drawn } = root.dataset
    return drawn === 'page' ? root.contains(element) : drawn === 'content' && Boolean(element.closest('#content'))
  }
  function hold(event) {
    const { target } = event
    if (root.dataset.drawn === undefined) return end()
    if (!isWaiting(target)) return
    if (event.type === 'submit') event.preventDefault()
    else if (event.type === 'click') {
      const button = target.closest('button')
      if (!button) return
      event.preventDefault()
      event.stopImmediatePropagation()
      root.dmpHeld = { pressed: button, isEnter: false }
    } else if (event.type === 'keydown') {
      if (event.key === 'Enter' && !event.isComposing && target.form) root.dmpHeld = { pressed: target, isEnter: true }
      // Whoever goes on typing has not sent it.
    } else root.dmpHeld = undefined
  }
  const names = ['click', 'keydown', 'input', 'submit']
  function end() {
    names.forEach(function (name) {
      removeEventListener(name, hold, true)
    })
  }
  names.forEach(function (name) {
    addEventListener(name, hold, true)
  })
})(document.currentScript)
