import * as v from 'valibot'
import { RuntimeSettings } from '@dmp/contract/settings'
import { toRuntimeSettings } from './runtimeSettings.ts'
import { readSettings } from './settings.ts'
import { settingsTable } from './settingsTable.ts'

describe('settings', () => {
  it('have the times of section 9 when nothing is set [9.05, 9.06, 9.07]', () => {
    expect(readSettings({ DMP_DEMO: '1' })).toMatchObject({
      idleMinutes: 10,
      idleTimeoutMinutes: 5,
      idleRequired: true,
      mfaMinutes: 3,
      accessTokenMinutes: 15,
      tokenCheckSeconds: 60,
      tokenRenewBeforeSeconds: 180,
      liveValidateSeconds: 60,
      pingSeconds: 600,
    })
  })

  it('take fractions for every time, so that tests run in seconds [9.07]', () => {
    const times = Object.values(settingsTable).filter((setting) => /_(?:MINUTES|SECONDS|HOURS)$/.test(setting.name))
    const read = readSettings({ DMP_DEMO: '1', ...Object.fromEntries(times.map((setting) => [setting.name, '0.05'])) })
    const values = Object.entries(settingsTable)
      .filter(([, setting]) => times.includes(setting as never))
      .map(([key]) => read[key as keyof typeof read])
    expect(values.length).toBeGreaterThan(12)
    expect(new Set(values)).toEqual(new Set([0.05]))
  })

  it('need in production what a server serves people with, and nothing of it where nobody is served', () => {
    const databaseUrl = 'postgres://dmp@db/dmp'
    expect(readSettings({ DATABASE_URL: databaseUrl }, { serves: false })).toMatchObject({ databaseUrl })
    expect(() => readSettings({ DATABASE_URL: databaseUrl })).toThrow(
      /DMP_PUBLIC_URL is not set.*DMP_SECRET is not set/s,
    )
  })

  it('make runtime settings that pages accept, with company and label values [3.19, 9.12]', () => {
    const runtime = toRuntimeSettings(readSettings({ DMP_DEMO: '1', DMP_COMPANY_NAME: 'Acme Imaging' }))
    expect(v.parse(RuntimeSettings, runtime)).toEqual(runtime)
    expect(runtime).toMatchObject({
      productVersion: 'v1.1.0',
      company: {
        name: 'Acme Imaging',
        manufactureDate: '2024-09-26',
        labelDocumentNumber: 'DLT-002 Rev:3',
        udi: { version: '1.1.0' },
      },
    })
  })

  it('carry no secret to pages [P23]', () => {
    const runtime = JSON.stringify(
      toRuntimeSettings(
        readSettings({ DMP_DEMO: '1', DMP_SECRET: 'canary'.repeat(8), SMTP_URL: 'smtp://u:canary@mail.example' }),
      ),
    )
    expect(runtime).not.toContain('canary')
  })

  it('say that an app is not set up unless it has an address, in production [7.42]', () => {
    const production = {
      DMP_PUBLIC_URL: 'https://x.example/',
      DMP_SIGNING_KEY: 'PRIVATE KEY',
      DMP_SECRET: 'x'.repeat(32),
      SMTP_URL: 'smtp://x',
    }
    expect(toRuntimeSettings(readSettings(production)).apps).toMatchObject({ bmd: '', autometrics: '' })
    expect(
      toRuntimeSettings(
        readSettings({ ...production, DMP_BMD_URL: 'https://bmd.example/{organizationId}/{studyUID}/{seriesUID}' }),
      ).apps.bmd,
    ).toBe('https://bmd.example/{organizationId}/{studyUID}/{seriesUID}')
    expect(readSettings(production).publicUrl).toBe('https://x.example')
  })

  it.each(['DMP_HOST', 'DMP_COMPANY_NAME'])('take four thousand characters for %s, and not one more', (name) => {
    expect(() => readSettings({ DMP_DEMO: '1', [name]: 'x'.repeat(4000) })).not.toThrow()
    expect(() => readSettings({ DMP_DEMO: '1', [name]: 'x'.repeat(4001) })).toThrow('is too long')
  })

  it.each([
    ['DMP_PUBLIC_URL', ['http://x.example', 'https://x.example/'], ['ftp://x.example', 'x.example', 'https://']],
    ['DATABASE_URL', ['postgres://x/y', 'postgresql://x/y'], ['mysql://x/y', 'postgres', 'http://x/y']],
    [
      'DMP_APP_ORIGINS',
      ['https://a.example', 'https://a.example, http://b.example:8080'],
      ['a.example', 'https://a.example/path', 'https://a.example https://b.example/'],
    ],
    ['DMP_IDLE_REQUIRED', ['0', '1', 'true', 'false'], ['yes', '2', 'TRUE']],
    ['DMP_DATABASE_POOL', ['2', '500'], ['1', '501', '2.5', '-2']],
  ])('take for %s what it can be, and refuse the rest', (name, right, wrong) => {
    for (const value of right) expect(() => readSettings({ DMP_DEMO: '1', [name]: value })).not.toThrow()
    for (const value of wrong) expect(() => readSettings({ DMP_DEMO: '1', [name]: value })).toThrow(`${name} is wrong`)
  })

  it('are on where it says 1 or true, and off where it says 0 or false', () => {
    expect(
      ['1', 'true', '0', 'false'].map((text) => readSettings({ DMP_DEMO: '1', DMP_IDLE_REQUIRED: text }).idleRequired),
    ).toEqual([true, true, false, false])
  })

  it('treat an empty variable as one that is not set', () => {
    expect(readSettings({ DMP_DEMO: '1', PORT: '', DMP_IDLE_MINUTES: ' ' })).toMatchObject({
      port: 4000,
      idleMinutes: 10,
    })
  })
})
