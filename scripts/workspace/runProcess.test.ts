import { exitOnError, node, runProcess } from './runProcess.ts'

describe('a process', () => {
  it('gives its exit code and the text of both streams', async () => {
    const code = "console.log('out'); console.error('err'); process.exit(3)"
    const result = await runProcess(node, ['-e', code], { isQuiet: true })
    expect(result.code).toBe(3)
    expect(result.text.split('\n').filter(Boolean).sort()).toEqual(['err', 'out'])
    expect(result.seconds).toBeGreaterThan(0)
  })

  it('gets variables beside those of this process; undefined takes one away', async () => {
    process.env.DMP_TAKEN_AWAY = 'here'
    const env = { DMP_GIVEN: 'given', DMP_TAKEN_AWAY: undefined }
    const code = 'console.log(process.env.DMP_GIVEN, process.env.DMP_TAKEN_AWAY)'
    const { text } = await runProcess(node, ['-e', code], { isQuiet: true, env })
    delete process.env.DMP_TAKEN_AWAY
    expect(text.trim()).toBe('given undefined')
  })

  it('that does not exist is a failure with a reason', async () => {
    const { code, text } = await runProcess('no-such-program', [], { isQuiet: true })
    expect(code).toBe(127)
    expect(text).toContain('ENOENT')
  })
})

describe('a command whose work fails', () => {
  it('prints one sentence and exits with 1', async () => {
    const print = jest.spyOn(console, 'error').mockImplementation(() => undefined)
    const exit = jest.spyOn(process, 'exit').mockImplementation(() => undefined as never)
    await exitOnError(() => Promise.reject(new Error('The build failed.')))
    expect(print).toHaveBeenCalledWith('The build failed.')
    expect(exit).toHaveBeenCalledWith(1)
    await exitOnError(() => Promise.resolve())
    expect(exit).toHaveBeenCalledTimes(1)
  })
})
