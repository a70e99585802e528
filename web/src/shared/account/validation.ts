/** Validates in the browser. The server validates again, and its result counts. This module is pure. */
import {
  emailProblem,
  found,
  required,
  REQUIRED,
  textProblem,
  type Problem,
} from '@/ui/form/checks';
import { lengthOf } from '@/lib/length';
import { limits } from '@/lib/limits';
import { secretField, textField, type Problems } from '@/ui/form/use-form';

/** Allowed names. Letters from other scripts would allow lookalikes. */
const NAME = /^[A-Za-z0-9_-]+$/;

function userProblem(name: string): Problem {
  if (name === '') return REQUIRED;
  if (!NAME.test(name)) return { code: 'bad_symbols' };
  return textProblem(name, limits().username);
}

function passwordProblem(password: string): Problem {
  if (password === '') return REQUIRED;
  const bound = limits().password_min;
  return lengthOf(password) < bound ? { code: 'min_length', bound } : null;
}

export function checkLogin(data: FormData): Problems {
  const usr = textField(data, 'usr');
  const pwd = secretField(data, 'pwd');
  const missing = found({ usr: required(usr), pwd: required(pwd) });
  if (Object.keys(missing).length > 0) return missing;
  const { username, password_min } = limits();
  const short = lengthOf(usr) < username.min || lengthOf(pwd) < password_min;
  return short ? { usr: { code: 'invalid_usr_or_pwd' } } : {};
}

export const checkSignup = (data: FormData): Problems =>
  found({
    usr: userProblem(textField(data, 'usr')),
    eml: emailProblem(textField(data, 'eml'), 'eml_invalid'),
    pwd: passwordProblem(secretField(data, 'pwd')),
    agree18: data.get('agree18') === null ? { code: 'agree18_required' } : null,
  });

export const checkRestore = (data: FormData): Problems =>
  found({ eml: emailProblem(textField(data, 'eml'), 'eml_invalid') });

export const checkNewPassword = (data: FormData): Problems =>
  found({ pwd: passwordProblem(secretField(data, 'pwd')) });

/** The password is required only if the form asks for it. */
const presentPassword = (data: FormData): Problem =>
  data.has('pwd_now') ? required(secretField(data, 'pwd_now')) : null;

export const checkPasswordChange = (data: FormData): Problems =>
  found({ pwd_now: presentPassword(data), pwd: passwordProblem(secretField(data, 'pwd')) });

export const checkMailChange = (data: FormData): Problems =>
  found({
    pwd_now: presentPassword(data),
    eml: emailProblem(textField(data, 'eml'), 'eml_invalid'),
  });

export const checkDelete = (data: FormData): Problems => found({ pwd_now: presentPassword(data) });
