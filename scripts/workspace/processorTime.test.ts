import { childSeconds, watchIdle } from './processorTime.ts'

describe('the processor time of programs that were started', () => {
  it('is read from what Linux says, whatever the program is called', () => {
    const stat = `12 (a (name) of 3) S ${Array.from({ length: 12 }, (_, n) => n).join(' ')} 250 50 20 0`
    expect(childSeconds(stat)).toBe(3)
  })

  it('is none where nothing is said', () => {
    expect(childSeconds('')).toBe(0)
  })
})

describe('how much of the processors has had nothing to do', () => {
  const processor = (idle: number, user: number) => ({ times: { idle, user, nice: 0, sys: 0, irq: 0 } })

  it('is counted over all of them, since it was asked before', () => {
    let now = [processor(1000, 500), processor(1000, 500)]
    const idle = watchIdle(() => now)
    now = [processor(1000, 600), processor(1050, 550)]
    expect(idle()).toBe(0.25)
    now = [processor(1000, 700), processor(1050, 650)]
    expect(idle()).toBe(0)
  })

  it('is nothing where no time has passed', () => {
    const idle = watchIdle(() => [processor(10, 10)])
    expect(idle()).toBe(0)
  })
})
