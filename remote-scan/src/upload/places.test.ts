import { places } from './places.ts'

afterEach(() => sessionStorage.clear())

it('keeps where a file lies by its mark until that is forgotten, and leaves the others alone [P28]', () => {
  places.keep('one', '/api/Scan/uploads/1')
  places.keep('two', '/api/Scan/uploads/2')
  places.forget('one')
  places.forget('three')
  expect([places.of('one'), places.of('two'), places.of('three')]).toEqual([undefined, '/api/Scan/uploads/2', undefined])
})

it('keeps nothing of a file without a mark', () => {
  places.keep(undefined, '/api/Scan/uploads/1')
  places.forget(undefined)
  expect(places.of(undefined)).toBeUndefined()
  expect(Object.keys(sessionStorage)).toEqual([])
})
