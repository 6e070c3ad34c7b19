// How things are, in one word: names of texts, and of colours. Green only where everything that is seen went in.

export function toStateName(state) {
  if (state.isPaused || state.question) return 'paused'
  if (state.lost) return 'lost'
  if (!state.isConnected && state.isWaiting) return 'starting'
  if (!state.isConnected)
    return state.problem ? 'stopped' : state.canSignIn && !state.code ? 'starting' : 'notConnected'
  if (state.problem) return 'stopped'
  if (state.isSending) return 'sending'
  if (!state.isQuiet) return state.waiting > 0 ? 'waiting' : 'looking'
  return state.failures.length > 0 || state.counts.refused > 0 ? 'notAll' : 'idle'
}

export function toSeriesState({ waiting, refused, failed }, state) {
  const { isPaused, isSending, isQuiet, isCounting, isConnected, lost, problem } = state
  if (waiting > 0 && (isPaused || state.question)) return 'paused'
  if (waiting > 0 && (lost || problem || !isConnected)) return 'waiting'
  if (waiting > failed) return isSending ? 'sending' : 'waiting'
  if (refused + failed > 0) return 'notAll'
  return isCounting && !isQuiet ? 'looking' : 'idle'
}

/** Time left and speed: neither is there where nothing moves. */
export function toPace(state) {
  const { isPaused, question, lost, problem, isConnected, isSending, waiting, minutesLeft, bytesPerSecond } = state
  const isStill = isPaused || Boolean(question) || Boolean(lost) || Boolean(problem) || !isConnected || !isSending
  return {
    minutesLeft: waiting === 0 || isStill ? undefined : (minutesLeft ?? 'unknown'),
    bytesPerSecond: bytesPerSecond > 0 && !isStill ? bytesPerSecond : undefined,
  }
}
