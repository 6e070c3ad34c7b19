// Runs in a guest's frame before any other script, and belongs to no release.
;(function () {
  // The frame's origin is nobody's, so every file comes from another one: the browser checks hashes only of what was
  // asked for with CORS, and builds ask so only where the address is another.
  const create = Document.prototype.createElement
  Document.prototype.createElement = function createElement() {
    const element = create.apply(this, arguments)
    if (element instanceof HTMLScriptElement) element.crossOrigin = 'anonymous'
    return element
  }
  // Connections between browsers obey no policy of a page.
  ;['RTCPeerConnection', 'webkitRTCPeerConnection', 'mozRTCPeerConnection'].forEach(function (name) {
    if (name in window) Object.defineProperty(window, name, { configurable: false, value: undefined, writable: false })
  })
})()
