/** 9.07: 'N mins M secs', 'N min M secs', 'N secs'. */
export function formatCountdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  const minutes = Math.floor(seconds / 60)
  const rest = `${seconds % 60} secs`
  if (minutes === 0) return rest
  return `${minutes} ${minutes === 1 ? 'min' : 'mins'} ${rest}`
}
