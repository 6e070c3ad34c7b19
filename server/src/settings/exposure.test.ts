import { listenAddress, listWarnings } from './exposure.ts'

it('lets only this machine reach a demo, unless somebody says otherwise', () => {
  expect(listenAddress({ isDemo: true, host: undefined })).toBe('127.0.0.1')
  expect(listenAddress({ isDemo: true, host: '0.0.0.0' })).toBe('0.0.0.0')
  expect(listenAddress({ isDemo: false, host: undefined })).toBe('0.0.0.0')
})

it('warns of a public address without TLS, but on this machine', () => {
  for (const publicUrl of ['http://dmp.example.org', 'http://192.168.1.20:4000', 'http://127.0.0.1.evil.example'])
    expect(listWarnings({ isDemo: false, publicUrl })).toEqual([expect.stringContaining('without TLS')])
  for (const publicUrl of ['https://dmp.example.org', 'http://localhost:4000', 'http://127.0.0.1', 'http://[::1]:4000'])
    expect(listWarnings({ isDemo: false, publicUrl })).toEqual([])
  expect(listWarnings({ isDemo: true, publicUrl: 'http://dmp.example.org' })).toEqual([])
})
