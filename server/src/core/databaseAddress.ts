/** What is before the hosts, the hosts, and what is behind them. */
const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s

/** One address per host, without `target_session_attrs`: the one that takes writes is wanted. */
export function splitAddress(address: string): readonly string[] {
  const [, before = '', hosts = '', behind = ''] = parts.exec(address) ?? []
  return hosts
    .split(',')
    .map((host) => `${before}${host}${behind.replace(/([?&])target_session_attrs=[^&]*&?/, '$1').replace(/[?&]$/, '')}`)
}

const wanted = /[?&]target_session_attrs=(?!(?:read-write|primary)(?:&|$))/

/** Whether it is an address of PostgreSQL, with one host or several, of which the one is wanted that takes writes. */
export const isDatabaseAddress = (text: string): boolean =>
  parts.test(text) &&
  !wanted.test(text) &&
  splitAddress(text).every((one, _, all) => URL.canParse(one) && (all.length === 1 || new URL(one).hostname !== ''))

/** Whether it is an address of PostgreSQL with one host or several, each of which may be one that takes no writes. */
export const isReplicaAddress = (text: string): boolean =>
  parts.test(text) &&
  !/[?&]target_session_attrs=(?:read-write|primary)(?:&|$)/.test(text) &&
  splitAddress(text).every((one) => URL.canParse(one) && new URL(one).hostname !== '')
