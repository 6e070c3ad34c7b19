/**
 * One tab renews at a time. Without the Web Locks API (a page that is not in a secure context) each runs by itself, and
 * the server answers a repeat within 30 s alike.
 */
export function withRenewLock<T>(renew: () => Promise<T>): Promise<T> {
  return 'locks' in navigator ? navigator.locks.request('dmp-renew', renew) : renew()
}
