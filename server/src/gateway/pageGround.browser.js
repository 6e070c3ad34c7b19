// Runs in host pages before any other script, and belongs to no release. What host, kit and browser libraries stand on
// stays as it is now, whatever a part assigns; and what a part puts on the page is known by the part whose code did it.
;(function (script) {
  const callbacks = 'fetch setTimeout clearTimeout requestAnimationFrame cancelAnimationFrame queueMicrotask atob btoa'
  const shared =
    'Object Function Error Array String Number Date RegExp Promise Map Set WeakMap JSON Math Reflect URL ' +
    'URLSearchParams Headers Request Response AbortController AbortSignal EventTarget Node Element HTMLElement ' +
    'HTMLScriptElement Document History Storage XMLHttpRequest FormData Blob TextEncoder TextDecoder WebSocket ' +
    'BroadcastChannel MutationObserver'
  // Signing out, and what the host keeps of a tab, are no part's.
  const ofSession = /^(?:authData|user|lastActiveTime)$/
  const kept = /^(?:authData|user|lastActiveTime|dataTableHistory|preference:.*|draft:.*|dmp[.:].*)$/
  const ofInput = /^(?:key|mouse|pointer|touch|drag|wheel|click|dblclick|auxclick|contextmenu|paste|submit|beforeinput)/
  const left = new Map()
  let shown = ''

  // The innermost script of a release on the stack: what the kit does for a part is not the part's.
  function findPart() {
    const found = /\/releases\/(?:again\/)?([a-z0-9-]{1,60})\/[0-9a-f]{16}\//.exec(new Error().stack || '')
    return found === null || found[1] === 'host' ? '' : found[1]
  }

  function note(key, undo) {
    const part = findPart()
    if (part) left.set(key, { part: part, undo: undo })
  }

  const every = setInterval
  const stop = clearInterval
  window.setInterval = function setInterval() {
    const timer = every.apply(window, arguments)
    note(timer, function () {
      stop(timer)
    })
    return timer
  }
  window.clearInterval = function clearInterval(timer) {
    left.delete(timer)
    stop(timer)
  }

  const add = EventTarget.prototype.addEventListener
  const remove = EventTarget.prototype.removeEventListener
  function isCapturing(options) {
    return options === true || Boolean(options && options.capture)
  }
  function isOf(entry, target, name, listener, options) {
    return (
      entry.target === target &&
      entry.name === name &&
      entry.listener === listener &&
      entry.isCapturing === isCapturing(options)
    )
  }
  EventTarget.prototype.addEventListener = function addEventListener(name, listener, options) {
    const target = this || window
    if ((target === window || target === document) && listener && ofInput.test(name)) {
      const key = { target: target, name: name, listener: listener, isCapturing: isCapturing(options) }
      note(key, function () {
        remove.call(target, name, listener, options)
      })
    }
    return add.apply(target, arguments)
  }
  EventTarget.prototype.removeEventListener = function removeEventListener(name, listener, options) {
    const target = this || window
    if (target === window || target === document)
      left.forEach(function (_entry, key) {
        if (isOf(key, target, name, listener, options)) left.delete(key)
      })
    return remove.apply(target, arguments)
  }

  // Libraries of the kit make styles, which the policy lets in by the page's nonce. A part's own would reach everybody.
  const nonce = script.nonce
  const create = Document.prototype.createElement
  Document.prototype.createElement = function createElement() {
    const element = create.apply(this, arguments)
    if (element instanceof HTMLStyleElement && !findPart()) element.nonce = nonce
    return element
  }

  // A part that was left no longer names the page.
  const title = Object.getOwnPropertyDescriptor(Document.prototype, 'title')
  Object.defineProperty(Document.prototype, 'title', {
    configurable: true,
    enumerable: true,
    get: title.get,
    set: function (text) {
      const part = findPart()
      if (!part || part === shown) title.set.call(this, text)
    },
  })

  const setItem = Storage.prototype.setItem
  const removeItem = Storage.prototype.removeItem
  function refuse(key) {
    if (ofSession.test(key) && findPart()) throw new TypeError(key + ' is the session’s, and no part changes it.')
  }
  Storage.prototype.setItem = function (key) {
    refuse(key)
    return setItem.apply(this, arguments)
  }
  Storage.prototype.removeItem = function (key) {
    refuse(key)
    return removeItem.apply(this, arguments)
  }
  Storage.prototype.clear = function () {
    Object.keys(this).forEach(function (key) {
      if (!kept.test(key)) removeItem.call(this, key)
    }, this)
  }

  // Leaving for another site is asked about, by the host, which has the words. Its own windows are its own matter.
  let isGuarded = false
  let mayGo = function () {
    return true
  }
  function isAllowed(address) {
    const url = new URL(address, document.baseURI)
    return !/^https?:$/.test(url.protocol) || url.origin === location.origin || mayGo(url, findPart())
  }
  const open = window.open
  window.open = function (address) {
    if (address && findPart() && !isAllowed(address)) return null
    return open.apply(window, arguments)
  }
  const click = HTMLElement.prototype.click
  HTMLElement.prototype.click = function () {
    // In the page the event comes by; beside it nobody sees it.
    if (this.isConnected || !this.href || this.download || isAllowed(this.href)) click.call(this)
  }
  add.call(
    window,
    'click',
    function (event) {
      const link = event.target instanceof Element && event.target.closest('a[href][target]')
      if (link && !link.download && !isAllowed(link.href)) event.preventDefault()
    },
    true,
  )
  if (window.navigation)
    navigation.addEventListener('navigate', function (event) {
      if (event.cancelable && event.downloadRequest === null && !isAllowed(event.destination.url))
        event.preventDefault()
    })

  function each(names, run) {
    names.split(' ').forEach(function (name) {
      if (typeof window[name] !== 'undefined') run(window[name], name)
    })
  }

  // Whoever inherits by hand, or gives one object a member of the same name (a build's list of chunks its `push`),
  // assigns it. A member that cannot be written refuses that, silently in old code; a setter takes it over.
  function fix(object) {
    Object.getOwnPropertyNames(object).forEach(function (name) {
      const own = Object.getOwnPropertyDescriptor(object, name)
      if (!own.configurable || name === 'constructor') return
      if (own.get || own.set) Object.defineProperty(object, name, { configurable: false })
      else if (typeof own.value === 'function')
        Object.defineProperty(object, name, {
          configurable: false,
          get: function () {
            return own.value
          },
          set: function (value) {
            if (this === object) throw new TypeError(name + ' stays as the browser made it.')
            Object.defineProperty(this, name, { configurable: true, enumerable: true, value: value, writable: true })
          },
        })
    })
  }

  function fixName(value, name) {
    Object.defineProperty(window, name, { configurable: false, value: value, writable: false })
  }

  each(shared, function (constructor) {
    fix(constructor)
    if (constructor.prototype) fix(constructor.prototype)
  })
  each(shared + ' ' + callbacks + ' setInterval clearInterval open', fixName)
  Object.preventExtensions(Object.prototype)
  Object.preventExtensions(history)

  // Whether the page's thread lives is told by another one. It starts now, because a part may hold up this one soon.
  let watch = null
  try {
    const policy = window.trustedTypes && trustedTypes.createPolicy('dmp-watch', { createScriptURL: String })
    watch = new Worker(policy ? policy.createScriptURL(script.dataset.watch) : script.dataset.watch)
    watch.onmessage = function (event) {
      watch.postMessage(event.data)
    }
  } catch {
    // A browser without it tells with the tab's next page.
  }
  function tell(message) {
    if (watch) watch.postMessage(message)
  }

  Object.defineProperty(window, 'dmpGround', {
    value: Object.freeze({
      findPart: findPart,
      enter: function (part) {
        shown = part
      },
      // What the part has put on the page until now and does not take away itself, when `undo` is called.
      leave: function (part) {
        if (shown === part) shown = ''
        const before = Array.from(left.keys())
        return function undo() {
          const undone = []
          before.forEach(function (key) {
            const entry = left.get(key)
            if (!entry || entry.part !== part) return
            left.delete(key)
            entry.undo()
            undone.push(typeof key === 'object' ? key.name : 'interval')
          })
          return undone
        }
      },
      // Once: the host sets it as it starts.
      guard: function (ask) {
        if (!isGuarded) mayGo = ask
        isGuarded = true
      },
      begin: function (beginning) {
        tell({ begin: beginning })
      },
      end: function (id) {
        tell({ end: id })
      },
    }),
  })
})(document.currentScript)
