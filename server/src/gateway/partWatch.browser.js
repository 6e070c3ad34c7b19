// The worker of host pages: a part that has begun and is not drawn in time is asked for through the page's own thread.
// A thread that does not answer is held up, and nobody else can tell of it.
const drawnWithinMs = 15000
const answersWithinMs = 2000
const waiting = new Map()

function end(id) {
  clearTimeout(waiting.get(id))
  waiting.delete(id)
}

function ask(beginning) {
  waiting.set(beginning.id, setTimeout(report, answersWithinMs, beginning))
  postMessage({ end: beginning.id })
}

// A hang is no network's fault.
function report(beginning) {
  end(beginning.id)
  fetch(beginning.report, {
    method: 'POST',
    credentials: 'include',
    keepalive: true,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ seen: [{ part: beginning.part, releaseId: beginning.releaseId, what: 'hang' }] }),
  }).catch(function () {})
}

onmessage = function (event) {
  const beginning = event.data.begin
  if (!beginning) return end(event.data.end)
  end(beginning.id)
  waiting.set(beginning.id, setTimeout(ask, drawnWithinMs, beginning))
}
