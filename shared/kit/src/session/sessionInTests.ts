import * as account from '@dmp/contract/account'
import { answer, serve, someTokens, type Line } from '@dmp/kit/testing'

export const complete = {
  accessToken: 'fresh',
  refreshToken: 'next',
  idToken: 'i',
  challengeName: null,
  userId: someTokens().userId,
  session: null,
  expiresIn: 900,
  expireDate: null,
}
export const item = (key: string): unknown => JSON.parse(localStorage.getItem(key) ?? 'null')
export const serving = (...lines: Line[]) => serve([answer(account.logout, null), ...lines], '/api')
export const storageEvent = (key: string) => window.dispatchEvent(new StorageEvent('storage', { key }))
