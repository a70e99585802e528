// @vitest-environment happy-dom
import { act } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { errorText } from '@/i18n/errors';
import { ApiError } from '@/lib/http';
import { render } from '@/lib/render';
import { until } from '@/lib/until';
import { found, required } from './checks';
import { Field, Submit } from './field';
import { FormBox, textField, useForm } from './use-form';

const send = vi.fn<(data: FormData) => Promise<unknown>>();

function Probe() {
  const form = useForm({
    fields: ['usr', 'city'],
    check: (data) =>
      found({
        usr: required(textField(data, 'usr')),
        city: textField(data, 'city') === 'x' ? { code: 'invalid' } : null,
      }),
    send,
  });
  return (
    <FormBox form={form}>
      <Field form={form} name="usr" label="Name" hint="As others see it" />
      <Field form={form} name="city" label="City" />
      <Submit form={form}>Save</Submit>
    </FormBox>
  );
}

const input = () => document.querySelector('input');
const alerts = () => [...document.querySelectorAll('[role=alert]')].map((one) => one.textContent);
const submit = (text: string) =>
  act(() => {
    const element = input();
    if (element) element.value = text;
    document.querySelector('form')?.requestSubmit();
  });
const refused = (status: number, body: ConstructorParameters<typeof ApiError>[1]) => {
  send.mockRejectedValueOnce(new ApiError(status, body));
  submit('ab');
};

beforeEach(async () => {
  send.mockReset();
  // Preload the error texts, so that nothing needs to wait for them.
  await errorText({ code: 'required' }, 'en');
  await render(<Probe />);
  await until(() => expect(input()).not.toBeNull());
});

it('sends nothing invalid and focuses the invalid field', async () => {
  submit(' ');
  await until(() => expect(alerts()).toEqual(['Please fill in this field.']));
  expect(send).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(input());
  expect(input()?.getAttribute('aria-invalid')).toBe('true');
  expect(input()?.getAttribute('aria-describedby')?.split(' ')).toHaveLength(2);
  act(() => {
    input()?.dispatchEvent(new Event('input', { bubbles: true }));
  });
  expect(alerts()).toEqual([]);
});

it('brings the first of several into view and moves nobody away from it', async () => {
  const [name, city] = document.querySelectorAll('input');
  if (!name || !city) throw new Error('no fields');
  const scrolled: unknown[] = [];
  name.scrollIntoView = (options) => scrolled.push(options);
  city.value = 'x';
  submit('');
  await until(() => expect(alerts()).toHaveLength(2));
  expect(document.activeElement).toBe(name);
  expect(scrolled).toEqual([{ block: 'nearest' }]);
  // The other field's error stays while this one is corrected.
  act(() => {
    name.dispatchEvent(new Event('input', { bubbles: true }));
  });
  expect(alerts()).toHaveLength(1);
  expect(document.activeElement).toBe(name);
});

it('shows the server’s error beside its field with its limit, and keeps the input', async () => {
  refused(422, { codes: [{ field: 'usr', code: 'min_length', info: { bound: 3 } }] });
  await until(() => expect(alerts()).toEqual(['At least 3 characters, please.']));
  expect(input()?.value).toBe('ab');
});

it('shows errors of other fields for the whole form', async () => {
  refused(422, { code: 'required', field: 'other' });
  await until(() => expect(alerts()).toEqual(['Please fill in this field.']));
  expect(input()?.getAttribute('aria-invalid')).toBe('false');
});

it('sends once, however often it is submitted', async () => {
  let done: (() => void) | undefined;
  send.mockReturnValueOnce(
    new Promise<void>((resolve) => {
      done = resolve;
    }),
  );
  submit('abc');
  submit('abc');
  expect(send).toHaveBeenCalledTimes(1);
  expect(send.mock.calls[0]?.[0].get('usr')).toBe('abc');
  expect(document.querySelector('button')?.disabled).toBe(true);
  done?.();
  await until(() => expect(document.querySelector('button')?.disabled).toBe(false));
});
