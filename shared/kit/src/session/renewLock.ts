/**
 * Runs one renewal at a time across tabs. Without the Web Locks API (outside of a secure context) each tab renews
 * alone; the server accepts a repeat within 30 s.
 */
export function withRenewLock<T>(renew: () => Promise<T>): Promise<T> {
  return 'locks' in navigator ? navigator.locks.request('dmp-renew', renew) : renew()
}
