// Runs in host pages before any script of a part: makes the calls that the screen of this address makes first, with the
// token of the session, for whom the screen would make them. The kit takes over their answers (`firstAnswers.ts`).
;(function (calls) {
  function read(key) {
    return JSON.parse(localStorage.getItem(key))
  }

  function has(policy, needs) {
    return (
      typeof needs === 'string' ||
      policy.some(function (entry) {
        return entry.module === needs.module && entry.actions.indexOf(needs.action) >= 0
      })
    )
  }

  // Whoever was away for too long sees the sign-in page.
  function isIdledOut() {
    const idle = JSON.parse(document.getElementById('dmp-settings').textContent).idle
    const last = read('lastActiveTime') || 0
    return idle.required && last > 0 && Date.now() >= last + (idle.idleMinutes + idle.timeoutMinutes) * 60000
  }

  // A list may come back as it was left.
  function isReturn() {
    return history.state !== null && localStorage.getItem('dataTableHistory') !== null && location.search === ''
  }

  function toUrl(call, organizationId) {
    const url = new URL(call.url, document.baseURI)
    call.organization.forEach(function (name) {
      url.searchParams.set(name, organizationId)
    })
    return url
  }

  function ask(url, accessToken) {
    const stop = new AbortController()
    const headers = {
      Accept: 'application/json',
      Authorization: 'Bearer ' + accessToken,
      'Content-Type': 'application/json; charset=UTF-8',
    }
    // Without a choice, server and page take the first of the browser's languages that there is.
    const language = localStorage.getItem('preference:language')
    if (language) headers['Accept-Language'] = language
    const answer = fetch(url, { headers: headers, credentials: 'include', signal: stop.signal })
    // Told where it is taken over.
    answer.catch(function () {})
    return { url: url.href, accessToken: accessToken, answer: answer, stop: stop }
  }

  // Storage may be blocked, or hold what this does not understand: then the screen asks by itself.
  try {
    const tokens = read('authData')
    const user = read('user')
    if (!tokens || !user || !tokens.accessToken || !(Date.parse(tokens.expireDate) > Date.now())) return
    if (isIdledOut() || isReturn()) return
    globalThis.dmpFirstAnswers = calls
      .filter(function (call) {
        return has(user.policy, call.needs) && !(call.unless && has(user.policy, call.unless))
      })
      .map(function (call) {
        return ask(toUrl(call, user.organizationId), tokens.accessToken)
      })
  } catch {}
})(JSON.parse(document.currentScript.dataset.calls))
