import { writtenForms, namesInLog } from './namesInLog.ts'

describe('names of patients in a log', () => {
  const names = ['Sample, Anna', 'Mock^Emily'].flatMap(writtenForms)

  it.each(['{"url":"/Scan/get","patient":"Sample^Anna"}', 'search=anna sample', 'MOCK, EMILY was opened'])(
    'are found in %s',
    (line) => {
      expect(namesInLog(`{"msg":"request"}\n${line}\n`, names)).toEqual([line])
    },
  )

  it('are not seen where there are none', () => {
    expect(namesInLog('{"msg":"request","route":"/Scan/list"}\nSample of the day', names)).toEqual([])
  })
})
